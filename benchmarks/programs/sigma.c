// sigma(N): main raises an index and starts a thread, N times; each thread writes the cell the index points
// to at that moment. Thread t finds an index from t to N - 1, because main goes on meanwhile.
//
// Mazurkiewicz: 1 * 3 * 5 * ... * (2N - 1), as threads that find the same index write the same cell in either
// order; reads-from: N!, as nobody reads the cells.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int cells[N];
static atomic_int position = -1;

static void* write_cell(void* unused) {
    (void)unused;
    int mine = atomic_load(&position);
    atomic_store(&cells[mine], 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int k = 0; k < N; ++k) {
        int before = atomic_load(&position);
        atomic_store(&position, before + 1);
        pthread_create(&threads[k], NULL, write_cell, NULL);
    }
    for (int k = 0; k < N; ++k) pthread_join(threads[k], NULL);
    return 0;
}
