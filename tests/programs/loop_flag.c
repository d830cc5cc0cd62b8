// norn: verified
// classes: maz=1 rf=1
// A loop that waits for a flag: whoever looks too early looks again, and sees the same program.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;
static int value;

static void* produce(void* unused) {
    value = 42;
    atomic_store(&ready, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    while (!atomic_load(&ready)) {
    }
    assert(value == 42);
    pthread_join(thread, NULL);
    return 0;
}
