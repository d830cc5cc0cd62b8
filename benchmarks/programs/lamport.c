// lamport(N): Lamport's fast mutual exclusion, second algorithm, N threads numbered from 1.
//
// Waiting is one read and an assume: the retry loop has no bound, the assumes make it finite. Main does not
// join.
#include <assert.h>
#include <norn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int busy[N + 1];
static atomic_int x, y, critical;

static void* enter_once(void* argument) {
    int k = (int)(intptr_t)argument;
    for (;;) {
        atomic_store(&busy[k], 1);
        atomic_store(&x, k);
        if (atomic_load(&y) != 0) {
            atomic_store(&busy[k], 0);
            __VERIFIER_assume(atomic_load(&y) == 0);
            continue;
        }
        atomic_store(&y, k);
        if (atomic_load(&x) == k) break;
        atomic_store(&busy[k], 0);
        for (int j = 1; j <= N; ++j) __VERIFIER_assume(atomic_load(&busy[j]) == 0);
        if (atomic_load(&y) == k) break;
        __VERIFIER_assume(atomic_load(&y) == 0);
    }
    atomic_store(&critical, k);
    int seen = atomic_load(&critical);
    assert(seen == k);
    atomic_store(&y, 0);
    atomic_store(&busy[k], 0);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int k = 1; k <= N; ++k) pthread_create(&threads[k - 1], NULL, enter_once, (void*)(intptr_t)k);
    return 0;
}
