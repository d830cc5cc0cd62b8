// norn: verified
// options: --spurious
// A loop of short waits that ends at a deadline, of a thread that has seen days pass: the deadline comes
// nearer with each round, so that none of them is idle.
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* nobody(void* unused) { return unused; }

static struct timespec in_a_while(long milliseconds) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += milliseconds * 1000000;
    return time;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nobody, NULL);
    for (int i = 0; i < 4; i++) sleep(1);
    pthread_mutex_lock(&mutex);
    const struct timespec end = in_a_while(500);
    for (;;) {
        const struct timespec now = in_a_while(0);
        if (now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec)) break;
        const struct timespec soon = in_a_while(10);
        pthread_cond_timedwait(&changed, &mutex, &soon);
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
