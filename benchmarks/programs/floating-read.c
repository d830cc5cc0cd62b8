// floating-read(N): N writers of one variable, main reads it while they run. (N + 1)! Mazurkiewicz classes,
// but the read has only N + 1 sources.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void* write_x(void* argument) {
    atomic_store(&x, (int)(intptr_t)argument);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int k = 1; k <= N; ++k) pthread_create(&threads[k - 1], NULL, write_x, (void*)(intptr_t)k);
    int seen = atomic_load(&x);
    assert(seen < N + 1);
    for (int k = 1; k <= N; ++k) pthread_join(threads[k - 1], NULL);
    return 0;
}
