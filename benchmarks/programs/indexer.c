// indexer(N): N threads insert four messages each into a hash table of 128 slots. Up to 11 threads never
// meet; each further one meets one other in three slots: 8^(N - 11) classes, for every equivalence.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 12
#endif

enum { slots = 128, messages = 4 };

static atomic_int table[slots];

static void* insert_messages(void* argument) {
    int id = (int)(intptr_t)argument;
    for (int i = 1; i <= messages; ++i) {
        int message = 11 * i + id;
        int slot = 7 * message % slots;
        int empty = 0;
        while (!atomic_compare_exchange_strong(&table[slot], &empty, message)) {
            slot = (slot + 1) % slots;
            empty = 0;
        }
        assert(slot >= 0);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int id = 0; id < N; ++id) pthread_create(&threads[id], NULL, insert_messages, (void*)(intptr_t)id);
    for (int id = 0; id < N; ++id) pthread_join(threads[id], NULL);
    return 0;
}
