// dc-fig18(N): two threads that write x once and y N + 1 times and then read both, and a third that writes
// and reads x. Most orders of the writes to y are not observed by anybody. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 1
#endif

static atomic_int x, y;

static void* write_and_read_x(void* unused) {
    (void)unused;
    atomic_store(&x, 3);
    int seen = atomic_load(&x);
    (void)seen;
    return NULL;
}

static void* write_and_read_both(void* argument) {
    int id = (int)(intptr_t)argument;
    atomic_store(&x, id);
    for (int k = 0; k < N + 1; ++k) atomic_store(&y, 2 * k + id);
    int seen_y = atomic_load(&y);
    int seen_x = atomic_load(&x);
    (void)seen_y;
    (void)seen_x;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, write_and_read_x, NULL);
    pthread_create(&threads[1], NULL, write_and_read_both, (void*)(intptr_t)1);
    pthread_create(&threads[2], NULL, write_and_read_both, (void*)(intptr_t)2);
    return 0;
}
