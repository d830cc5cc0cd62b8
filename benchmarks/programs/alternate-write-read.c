// alternate-write-read(N): two threads, each N times: write a shared variable, read it. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void* run(void* argument) {
    int value = (int)(intptr_t)argument;
    for (int k = 0; k < N; ++k) {
        atomic_store(&x, value);
        value = atomic_load(&x);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int j = 0; j < 2; ++j) pthread_create(&threads[j], NULL, run, (void*)(intptr_t)j);
    return 0;
}
