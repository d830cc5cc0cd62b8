// approxds-append(N): N threads append to a list of N - 2 slots without any synchronization, so that elements
// can be lost; main joins them and empties the list.
//
// Main's reads of the slots tell which of several writes to a slot was the last: they are part of the count.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

enum { slots = N - 2 };

static atomic_int elements[slots > 0 ? slots : 1];
static atomic_int next;

static void* append(void* argument) {
    int k = (int)(intptr_t)argument;
    int i = atomic_load(&next);
    if (i >= slots) return NULL;
    atomic_store(&elements[i], k);
    atomic_store(&next, i + 1);
    return NULL;
}

static void empty_the_list(void) {
    for (;;) {
        int i = atomic_load(&next);
        if (i == 0) return;
        do {
            int element = atomic_load(&elements[i - 1]);
            (void)element;
        } while (atomic_load(&next) != i);
        atomic_store(&next, i - 1);
    }
}

int main(void) {
    pthread_t threads[N];
    for (int k = 0; k < N; ++k) pthread_create(&threads[k], NULL, append, (void*)(intptr_t)k);
    for (int k = 0; k < N; ++k) pthread_join(threads[k], NULL);
    empty_the_list();
    return 0;
}
