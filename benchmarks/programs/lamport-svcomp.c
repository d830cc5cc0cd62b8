// lamport-svcomp: Lamport's fast mutual exclusion for two threads as verification competitions have it: plain
// variables, and a thread waits for the flag of the other one only. No parameter. Waiting is one read and an
// assume.
#include <assert.h>
#include <norn.h>
#include <pthread.h>
#include <stdint.h>

static int wants[3], x, y, inside;  // wants[1] and wants[2] are used

static void* run(void* argument) {
    int me = (int)(intptr_t)argument;
    int other = 3 - me;
    for (;;) {
        wants[me] = 1;
        x = me;
        if (y != 0) {
            wants[me] = 0;
            __VERIFIER_assume(y == 0);
            continue;
        }
        y = me;
        if (x == me) break;
        wants[me] = 0;
        __VERIFIER_assume(wants[other] == 0);
        if (y == me) break;
        __VERIFIER_assume(y == 0);
    }
    inside = me;
    assert(inside == me);
    y = 0;
    wants[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, run, (void*)(intptr_t)(k + 1));
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    return 0;
}
