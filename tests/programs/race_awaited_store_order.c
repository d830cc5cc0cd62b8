// norn: failed data-race
// options: --races=error
// A store to a variable that a loop waits for acquires nothing, even if it is sequentially consistent.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag, stop;
static int data, seen;

static void* wait_for_two(void* unused) {
    while (atomic_load_explicit(&flag, memory_order_acquire) != 2)
        if (atomic_load_explicit(&stop, memory_order_relaxed)) return unused;
    return unused;
}

static void* publish(void* unused) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

static void* go_on(void* unused) {
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) {
        atomic_store(&flag, 2);
        seen = data;
    }
    return unused;
}

int main(void) {
    pthread_t waiter, publisher, other;
    pthread_create(&waiter, NULL, wait_for_two, NULL);
    pthread_create(&publisher, NULL, publish, NULL);
    pthread_create(&other, NULL, go_on, NULL);
    pthread_join(publisher, NULL);
    pthread_join(other, NULL);
    atomic_store_explicit(&stop, 1, memory_order_relaxed);
    pthread_join(waiter, NULL);
    return 0;
}
