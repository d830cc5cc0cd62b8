// dc-fig13(N): N threads, each writes one variable and reads it. (N!)^2 Mazurkiewicz, (N + 1)^(N - 1)
// reads-from classes. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void* run(void* argument) {
    atomic_store(&x, (int)(intptr_t)argument);
    int seen = atomic_load(&x);
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int k = 1; k <= N; ++k) pthread_create(&threads[k - 1], NULL, run, (void*)(intptr_t)k);
    return 0;
}
