// Concurrency Kit's ring for many producers and many consumers: what was put in comes out once, in order.
//
// Two producers put one element each into a ring with room for both, and two consumers take what is there.
// When all are done, the rest is taken out: nothing was lost, and nothing came twice.
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#define SIZE 4  // a power of two; one place stays empty

static ck_ring_t ring;
static ck_ring_buffer_t buffer[SIZE];
static int elements[PRODUCERS];
static int taken[PRODUCERS];

static void* produce(void* element) {
    assert(ck_ring_enqueue_mpmc(&ring, buffer, element));
    return NULL;
}

static void* consume(void* into) {
    void* element = NULL;
    if (ck_ring_trydequeue_mpmc(&ring, buffer, &element)) *(int**)into = element;
    return NULL;
}

int main(void) {
    pthread_t producers[PRODUCERS], consumers[CONSUMERS];
    int* got[CONSUMERS] = {NULL};
    ck_ring_init(&ring, SIZE);
    for (int i = 0; i < PRODUCERS; ++i) pthread_create(&producers[i], NULL, produce, &elements[i]);
    for (int i = 0; i < CONSUMERS; ++i) pthread_create(&consumers[i], NULL, consume, &got[i]);
    for (int i = 0; i < PRODUCERS; ++i) pthread_join(producers[i], NULL);
    for (int i = 0; i < CONSUMERS; ++i) pthread_join(consumers[i], NULL);
    for (int i = 0; i < CONSUMERS; ++i)
        if (got[i] != NULL) ++taken[got[i] - elements];
    void* element = NULL;
    while (ck_ring_dequeue_mpmc(&ring, buffer, &element)) ++taken[(int*)element - elements];
    for (int i = 0; i < PRODUCERS; ++i) assert(taken[i] == 1);
    return 0;
}
