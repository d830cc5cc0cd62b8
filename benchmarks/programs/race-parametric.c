// race-parametric(N): two threads, each with 42 rounds on a variable of its own, which only make the
// executions long, and then N rounds of write and read on a shared one. Main does not join.
//
// The macro PRIVATE_ROUNDS changes the 42; it has no influence on the number of classes.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

#ifndef PRIVATE_ROUNDS
#define PRIVATE_ROUNDS 42
#endif

static atomic_int own[2];
static atomic_int v;

static void* race(void* argument) {
    int id = (int)(intptr_t)argument;
    for (int i = 0; i < PRIVATE_ROUNDS; ++i) {
        atomic_store(&own[id], i);
        int seen = atomic_load(&own[id]);
        (void)seen;
    }
    for (int i = 0; i < N; ++i) {
        atomic_store(&v, id);
        int seen = atomic_load(&v);
        (void)seen;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int id = 0; id < 2; ++id) pthread_create(&threads[id], NULL, race, (void*)(intptr_t)id);
    return 0;
}
