// peterson-svcomp(N): Peterson's mutual exclusion as verification competitions have it, with plain variables.
// At most N looks whether the other thread is in the way; who looks in vain ends.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 1
#endif

static int first_wants, second_wants, turn, x;

static void* enter_first(void* unused) {
    (void)unused;
    first_wants = 1;
    turn = 1;
    int look = 0;
    while (look < N && second_wants == 1 && turn == 1) ++look;
    if (look == N) return NULL;
    x = 0;
    assert(x <= 0);
    first_wants = 0;
    return NULL;
}

static void* enter_second(void* unused) {
    (void)unused;
    second_wants = 1;
    turn = 0;
    int look = 0;
    while (look < N && first_wants == 1 && turn == 0) ++look;
    if (look == N) return NULL;
    x = 1;
    assert(x >= 1);
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
