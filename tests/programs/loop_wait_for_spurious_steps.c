// norn: failed assertion
// options: --spurious
// Waits with a timeout that begins anew each round, and counts in steps as long as a clock may move
// meanwhile: the count is no time, so that no round is idle.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

enum { step = 1000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void* set(void* unused) {
    pthread_mutex_lock(&mutex);
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    for (int i = 0; i < 4; i++) sleep(1);
    pthread_mutex_lock(&mutex);
    long woken = 0;
    while (!ready) {
        struct timespec deadline;
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_nsec += 1000000;
        assert(woken < 200 * step);
        if (pthread_cond_timedwait(&changed, &mutex, &deadline) == ETIMEDOUT) break;
        woken += step;
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
