// norn: verified
// classes: maz=2 rf=2
// A lock by compare-exchange, strong in one thread and weak in the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int owner;
static int counter;

static void* strong(void* unused) {
    int nobody = 0;
    while (!atomic_compare_exchange_strong(&owner, &nobody, 1)) nobody = 0;
    ++counter;
    atomic_store(&owner, 0);
    return unused;
}

static void* weak(void* unused) {
    int nobody;
    do nobody = 0;
    while (!atomic_compare_exchange_weak(&owner, &nobody, 2));
    ++counter;
    atomic_store(&owner, 0);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, strong, NULL);
    pthread_create(&second, NULL, weak, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2);
    return 0;
}
