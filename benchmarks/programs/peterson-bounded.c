// peterson-bounded(C, A): Peterson's mutual exclusion for two threads, C rounds each, at most A attempts to
// get in; who fails lowers its flag and ends. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef C
#define C 1
#endif

#ifndef A
#define A 2
#endif

static atomic_int turn;
static atomic_int flag[2];

static void* run(void* argument) {
    int me = (int)(intptr_t)argument;
    int other = 1 - me;
    for (int round = 0; round < C; ++round) {
        atomic_store(&flag[me], 1);
        atomic_store(&turn, other);
        for (int attempt = 0; atomic_load(&flag[other]) == 1 && atomic_load(&turn) == other;) {
            if (++attempt == A) {
                atomic_store(&flag[me], 0);
                return NULL;
            }
        }
        atomic_store(&flag[me], 0);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int j = 0; j < 2; ++j) pthread_create(&threads[j], NULL, run, (void*)(intptr_t)j);
    return 0;
}
