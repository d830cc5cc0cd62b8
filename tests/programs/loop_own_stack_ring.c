// norn: verified
// A ring on the stack of its reader, which waits while the writer fills it: what others write there and the
// reader has not looked at is not part of its state.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct ring {
    atomic_uint head, tail;
    int slot[2];
};

static void* produce(void* shared) {
    struct ring* ring = shared;
    for (int i = 1; i <= 3; i++) {
        unsigned head = atomic_load(&ring->head);
        while (head - atomic_load(&ring->tail) == 2) {
        }
        ring->slot[head % 2] = i;
        atomic_store(&ring->head, head + 1);
    }
    return NULL;
}

int main(void) {
    struct ring ring = {0};
    pthread_t thread;
    pthread_create(&thread, NULL, produce, &ring);
    for (int i = 1; i <= 3; i++) {
        unsigned tail = atomic_load(&ring.tail);
        while (atomic_load(&ring.head) == tail) {
        }
        assert(ring.slot[tail % 2] == i);
        atomic_store(&ring.tail, tail + 1);
    }
    pthread_join(thread, NULL);
}
