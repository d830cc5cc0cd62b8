// dc-fig9(N): two threads, each writes one variable N times and reads it once. 2N + 1 reads-from classes, at
// least C(2N, N) Mazurkiewicz ones. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int x;

static void* run(void* argument) {
    int first = (int)(intptr_t)argument * N + 1;  // every write has a value of its own
    for (int k = 0; k < N; ++k) atomic_store(&x, first + k);
    int seen = atomic_load(&x);
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int j = 0; j < 2; ++j) pthread_create(&threads[j], NULL, run, (void*)(intptr_t)j);
    return 0;
}
