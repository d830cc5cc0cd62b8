// dc-fig13-rw(N): dc-fig13 the other way round: N threads, each reads one variable and writes it. As many
// classes of whole executions as dc-fig13 has. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void* run(void* argument) {
    int seen = atomic_load(&x);
    (void)seen;
    atomic_store(&x, (int)(intptr_t)argument);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int k = 1; k <= N; ++k) pthread_create(&threads[k - 1], NULL, run, (void*)(intptr_t)k);
    return 0;
}
