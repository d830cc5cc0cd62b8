// pipeline(N): N threads in a row; neighbours share a variable, which each reads and writes back. N >= 2.
// 4^(N - 1) Mazurkiewicz, 3^(N - 1) reads-from classes. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int links[N - 1];

static void write_back(atomic_int* link) {
    int value = atomic_load(link);
    atomic_store(link, value);
}

static void* run(void* argument) {
    int j = (int)(intptr_t)argument;
    if (j > 0) write_back(&links[j - 1]);
    if (j < N - 1) write_back(&links[j]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int j = 0; j < N; ++j) pthread_create(&threads[j], NULL, run, (void*)(intptr_t)j);
    return 0;
}
