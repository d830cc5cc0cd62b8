// norn: verified
// classes: maz=2 rf=1
// Two writes that nobody reads: two orders for mazurkiewicz, but nothing is read from either.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void* other(void* unused) {
    atomic_store(&value, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    atomic_store(&value, 2);
    pthread_join(thread, NULL);
    return 0;
}
