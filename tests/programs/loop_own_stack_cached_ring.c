// norn: verified
// Both sides of a ring keep a copy of the other's index, which each look refreshes: in memory of their own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct ring {
    atomic_uint head, tail;
    unsigned seen_head, seen_tail;
    int slot[1];
};

static void* produce(void* shared) {
    struct ring* ring = shared;
    for (int i = 1; i <= 2; i++) {
        unsigned head = atomic_load(&ring->head);
        while (head - ring->seen_tail == 1) ring->seen_tail = atomic_load(&ring->tail);
        ring->slot[0] = i;
        atomic_store(&ring->head, head + 1);
    }
    return NULL;
}

int main(void) {
    struct ring* ring = calloc(1, sizeof *ring);
    pthread_t thread;
    pthread_create(&thread, NULL, produce, ring);
    for (int i = 1; i <= 2; i++) {
        unsigned tail = atomic_load(&ring->tail);
        while (ring->seen_head == tail) ring->seen_head = atomic_load(&ring->head);
        assert(ring->slot[0] == i);
        atomic_store(&ring->tail, tail + 1);
    }
    pthread_join(thread, NULL);
    free(ring);
}
