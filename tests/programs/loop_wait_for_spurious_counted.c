// norn: failed assertion
// options: --spurious
// Waits with a timeout that begins anew each round, and counts the rounds: none of them is idle.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* signal_it(void* unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, signal_it, NULL);
    pthread_mutex_lock(&mutex);
    for (int round = 0;; round++) {
        struct timespec deadline;
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_nsec += 10000000;
        assert(round < 40);
        pthread_cond_timedwait(&changed, &mutex, &deadline);
    }
}
