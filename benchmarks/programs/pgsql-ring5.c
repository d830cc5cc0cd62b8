// pgsql-ring5: the ring of pgsql with five threads, one round, five polls. No parameter. 1 + 5 + 25 + 125 +
// 625 classes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { ring = 5, rounds = 1, polls = 5 };

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
