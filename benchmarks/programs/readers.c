// readers(N): one writer, N readers of one variable. Each reader comes before or after the write: 2^N
// classes, for every equivalence.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void* write_x(void* unused) {
    (void)unused;
    atomic_store(&x, 42);
    return NULL;
}

static void* read_x(void* unused) {
    (void)unused;
    int seen = atomic_load(&x);
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t writer, readers[N];
    pthread_create(&writer, NULL, write_x, NULL);
    for (int k = 0; k < N; ++k) pthread_create(&readers[k], NULL, read_x, NULL);
    pthread_join(writer, NULL);
    for (int k = 0; k < N; ++k) pthread_join(readers[k], NULL);
    return 0;
}
