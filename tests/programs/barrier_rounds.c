// norn: verified
// classes: maz=4 rf=4 obs=4
// Two threads meet twice at the same barrier, and each sees what the other did before. Who arrives first is
// open in each round: 2 * 2.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int result[2][2];

static void* work(void* argument) {
    int me = argument != NULL;
    for (int round = 0; round < 2; ++round) {
        result[round][me] = round + 1;
        pthread_barrier_wait(&barrier);
        assert(result[round][1 - me] == round + 1);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, work, &barrier);
    work(NULL);
    pthread_join(thread, NULL);
    assert(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
