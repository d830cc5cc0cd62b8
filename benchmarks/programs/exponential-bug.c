// exponential-bug(N): three threads on two variables and a mutex. T1 writes y N times in each of its two
// critical sections; only T3 would find the bug of the original program, which here is an early return. Main
// does not join.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void* t1(void* unused) {
    (void)unused;
    for (int round = 0; round < 2; ++round) {
        pthread_mutex_lock(&mutex);
        atomic_store(&x, 1);
        for (int k = 0; k < N; ++k) atomic_store(&y, 1);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void* t2(void* unused) {
    (void)unused;
    for (int round = 0; round < 2; ++round) {
        pthread_mutex_lock(&mutex);
        atomic_store(&x, 0);
        pthread_mutex_unlock(&mutex);
        if (atomic_load(&x) > 0) {
            int seen = atomic_load(&y);
            atomic_store(&y, seen + 1);
            atomic_store(&x, 2);
        }
    }
    return NULL;
}

static void* t3(void* unused) {
    (void)unused;
    for (int round = 0; round < 2; ++round) {
        if (atomic_load(&x) > 1) {
            int seen = atomic_load(&y);
            if (seen == 3) return NULL;
            atomic_store(&y, 2);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, t1, NULL);
    pthread_create(&threads[1], NULL, t2, NULL);
    pthread_create(&threads[2], NULL, t3, NULL);
    return 0;
}
