// opt-lock(N): two threads try to lock optimistically, at most N times: write the own id, read it back, go on
// if it is still there. Thread 0 writes the initial value. 12N - 5 reads-from classes. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x, y;

static void* try_lock(void* argument) {
    int id = (int)(intptr_t)argument;
    for (int attempt = 0; attempt < N; ++attempt) {
        atomic_store(&x, id);
        atomic_store(&y, 1);
        int seen = atomic_load(&x);
        if (seen == id) {
            int result = atomic_load(&y);
            (void)result;
            break;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int id = 0; id < 2; ++id) pthread_create(&threads[id], NULL, try_lock, (void*)(intptr_t)id);
    return 0;
}
