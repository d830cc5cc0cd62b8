// dekker-svcomp(N): Dekker's mutual exclusion as verification competitions have it: plain variables, and both
// threads give the turn to the second one. At most N passes of the outer loop; waiting for the turn is one
// read and an assume.
#include <assert.h>
#include <norn.h>
#include <pthread.h>

#ifndef N
#define N 1
#endif

static int first_wants, second_wants, turn, x;

static void* enter_first(void* unused) {
    (void)unused;
    first_wants = 1;
    for (int pass = 0; second_wants >= 1; ++pass) {
        __VERIFIER_assume(pass < N);
        if (turn != 0) {
            first_wants = 0;
            __VERIFIER_assume(turn == 0);
            first_wants = 1;
        }
    }
    x = 0;
    assert(x <= 0);
    turn = 1;
    first_wants = 0;
    return NULL;
}

static void* enter_second(void* unused) {
    (void)unused;
    second_wants = 1;
    for (int pass = 0; first_wants >= 1; ++pass) {
        __VERIFIER_assume(pass < N);
        if (turn != 1) {
            second_wants = 0;
            __VERIFIER_assume(turn == 1);
            second_wants = 1;
        }
    }
    x = 1;
    assert(x >= 1);
    turn = 1;
    second_wants = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, enter_first, NULL);
    pthread_create(&threads[1], NULL, enter_second, NULL);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    return 0;
}
