// peterson-bounded(C, A): Peterson's mutual exclusion for two threads, C rounds each, at most A attempts to
// get in; who fails lowers its flag and ends. With BOTH=1 every attempt reads both variables, else the second
// one only if it matters. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef C
#define C 1
#endif

#ifndef A
#define A 2
#endif

#ifndef BOTH
#define BOTH 0
#endif

static atomic_int turn;
static atomic_int flag[2];

static bool busy(int other) {
    bool wants = atomic_load(&flag[other]) == 1;
    return (BOTH || wants) && atomic_load(&turn) == other && wants;
}

static void* run(void* argument) {
    int me = (int)(intptr_t)argument;
    int other = 1 - me;
    for (int round = 0; round < C; ++round) {
        atomic_store(&flag[me], 1);
        atomic_store(&turn, other);
        for (int attempt = 0; busy(other);) {
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
