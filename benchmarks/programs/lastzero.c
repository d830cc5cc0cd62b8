// lastzero(N): N writers pass a count along an array, a reader looks for its last zero. N + 1 threads.
//
// Which cell the reader reads next depends on what it read, so most pairs of accesses never race. Classes:
// (N + 3) * 2^(N - 2), for every equivalence. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int cells[N + 1];

static void* find_last_zero(void* unused) {
    (void)unused;
    int i = N;
    while (atomic_load(&cells[i]) != 0) --i;  // cell 0 is never written
    return NULL;
}

static void* write_cell(void* argument) {
    int j = (int)(intptr_t)argument;
    int left = atomic_load(&cells[j - 1]);
    atomic_store(&cells[j], left + 1);
    return NULL;
}

int main(void) {
    pthread_t reader, writers[N];
    pthread_create(&reader, NULL, find_last_zero, NULL);
    for (int j = 1; j <= N; ++j) pthread_create(&writers[j - 1], NULL, write_cell, (void*)(intptr_t)j);
    return 0;
}
