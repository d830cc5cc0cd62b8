// norn: verified
// options: --spurious
// Waits for what never comes, and gives up after many wake-ups, which it counts in steps as long as a clock
// may move meanwhile. It does not wait for ever.
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

static void* use(void* unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    for (int i = 0; i < 4; i++) sleep(1);
    pthread_mutex_lock(&mutex);
    long woken = 0;
    while (!ready && woken < 200 * step) {
        struct timespec deadline;
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_nsec += 1000000;
        if (pthread_cond_timedwait(&changed, &mutex, &deadline) == ETIMEDOUT) break;
        woken += step;
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
