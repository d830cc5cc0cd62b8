// pgsql-rvf(N): the ring of pgsql with two threads, N rounds and B polls in each, N + 2 if not given. There
// are 1 + B + B^2 + ... + B^(2N - 1) classes, for every equivalence.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

#ifndef B
#define B (N + 2)
#endif

enum { ring = 2, rounds = N, polls = B };

static atomic_int latch[ring] = {1};
static atomic_int flag[ring] = {1};

static void* pass_on(void* argument) {
    int t = (int)(intptr_t)argument;
    int next = (t + 1) % ring;
    for (int round = 0; round < rounds; ++round) {
        int poll = 0;
        while (poll < polls && atomic_load(&latch[t]) != 1) ++poll;
        if (poll == polls) return NULL;
        if (atomic_load(&latch[t]) != 0) {
            int mine = atomic_load(&flag[t]);
            assert(mine == 1);  // who is woken has something to do
        }
        atomic_store(&latch[t], 0);
        if (atomic_load(&flag[t]) == 1) {
            atomic_store(&flag[t], 0);
            atomic_store(&flag[next], 1);
            atomic_store(&latch[next], 1);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[ring];
    for (int t = 0; t < ring; ++t) pthread_create(&threads[t], NULL, pass_on, (void*)(intptr_t)t);
    for (int t = 0; t < ring; ++t) pthread_join(threads[t], NULL);
    return 0;
}
