// control-flow(N): N readers of x, N writers of y, and two threads whose accesses depend on what they read.
// 2N + 2 threads. Reads-from 2^N + 2N + 1 classes, Mazurkiewicz N! times as many. Main does not join.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x, y, z;

static void* read_x(void* unused) {
    (void)unused;
    int seen = atomic_load(&x);
    (void)seen;
    return NULL;
}

static void* write_y(void* unused) {
    (void)unused;
    atomic_store(&y, 1);
    return NULL;
}

static void* write_z_before_y(void* unused) {
    (void)unused;
    if (atomic_load(&y) == 0) atomic_store(&z, 1);
    return NULL;
}

static void* write_x_between(void* unused) {
    (void)unused;
    if (atomic_load(&z) == 1) {
        if (atomic_load(&y) == 0) atomic_store(&x, 1);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2 * N + 2];
    for (int k = 0; k < N; ++k) {
        pthread_create(&threads[2 * k], NULL, read_x, NULL);
        pthread_create(&threads[2 * k + 1], NULL, write_y, NULL);
    }
    pthread_create(&threads[2 * N], NULL, write_z_before_y, NULL);
    pthread_create(&threads[2 * N + 1], NULL, write_x_between, NULL);
    return 0;
}
