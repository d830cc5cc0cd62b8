// commits(N): two threads stamp a shared variable and read it back; a stamp that is still there is a commit.
// Each wants N commits and makes at most A attempts (2N unless set otherwise). Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

#ifndef A
#define A (2 * N)
#endif

static atomic_int x;

static void* run(void* argument) {
    int stamp = (int)(intptr_t)argument + 1;
    int commits = 0;
    for (int attempt = 0; commits < N && attempt < A; ++attempt) {
        atomic_store(&x, stamp);
        if (atomic_load(&x) == stamp) ++commits;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int j = 0; j < 2; ++j) pthread_create(&threads[j], NULL, run, (void*)(intptr_t)j);
    return 0;
}
