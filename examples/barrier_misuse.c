// norn: failed deadlock
//
// A hand-made barrier that cannot be used twice. The waiting threads look at `arrived`, which the next round
// changes again: the last thread to arrive sets it to 0, wakes the others, runs ahead into the second round
// and sets it to 1 before they have looked. They go back to sleep in round one, it waits for them in round
// two. A right barrier waits for a round number to change.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { workers = 2, rounds = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_arrived = PTHREAD_COND_INITIALIZER;
static int arrived;
static int results[rounds][workers];

static void barrier(void) {
    pthread_mutex_lock(&mutex);
    if (++arrived == workers) {
        arrived = 0;
        pthread_cond_broadcast(&all_arrived);
    } else {
        // Wrong: 0 may come and go unseen
        while (arrived != 0) pthread_cond_wait(&all_arrived, &mutex);
    }
    pthread_mutex_unlock(&mutex);
}

static void* work(void* argument) {
    int me = (int)(intptr_t)argument;
    for (int round = 0; round < rounds; ++round) {
        results[round][me] = round + 1;
        barrier();
        assert(results[round][1 - me] == round + 1);  // whoever passes the barrier sees the other's result
    }
    return NULL;
}

int main(void) {
    pthread_t threads[workers];
    for (int k = 0; k < workers; ++k) pthread_create(&threads[k], NULL, work, (void*)(intptr_t)k);
    for (int k = 0; k < workers; ++k) pthread_join(threads[k], NULL);
    return 0;
}
