// Concurrency Kit's ring for one producer and many consumers: what was put in comes out once.
//
// The ring has room for three. The producer puts in two elements, and then two more as far as there is room,
// while two consumers take one each. In the end nothing was lost, and nothing came twice.
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define ELEMENTS 4
#define CONSUMERS 2
#define SIZE 4  // a power of two; one place stays empty

static ck_ring_t ring;
static ck_ring_buffer_t buffer[SIZE];
static int elements[ELEMENTS];
static int taken[ELEMENTS];

static void* consume(void* into) {
    void* element = NULL;
    if (ck_ring_dequeue_spmc(&ring, buffer, &element)) *(int**)into = element;
    return NULL;
}

int main(void) {
    pthread_t consumers[CONSUMERS];
    int* got[CONSUMERS] = {NULL};
    int put = 0;
    ck_ring_init(&ring, SIZE);
    for (int i = 0; i < CONSUMERS; ++i) pthread_create(&consumers[i], NULL, consume, &got[i]);
    for (int i = 0; i < ELEMENTS; ++i)
        if (ck_ring_enqueue_spmc(&ring, buffer, &elements[put])) ++put;
    for (int i = 0; i < CONSUMERS; ++i) pthread_join(consumers[i], NULL);
    for (int i = 0; i < CONSUMERS; ++i)
        if (got[i] != NULL) ++taken[got[i] - elements];
    void* element = NULL;
    while (ck_ring_dequeue_spmc(&ring, buffer, &element)) ++taken[(int*)element - elements];
    for (int i = 0; i < ELEMENTS; ++i) assert(taken[i] == (i < put));
    return 0;
}
