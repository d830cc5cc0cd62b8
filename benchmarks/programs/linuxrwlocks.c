// linuxrwlocks(N): two writers with a reader-writer lock made of one counter, N tries each. Every try is two
// read-modify-writes of the counter: C(4N, 2N) classes, for every equivalence.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

enum { bias = 0x100000 };

static atomic_int lock = bias;
static atomic_int v;

static void* try_to_write(void* argument) {
    int value = (int)(intptr_t)argument;
    for (int round = 0; round < N; ++round) {
        int before = atomic_fetch_sub(&lock, bias);
        if (before == bias) {
            atomic_store(&v, value);
            int seen = atomic_load(&v);
            assert(seen == value);
        }
        atomic_fetch_add(&lock, bias);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, try_to_write, (void*)(intptr_t)(k + 1));
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    return 0;
}
