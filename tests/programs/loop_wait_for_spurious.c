// norn: verified
// options: --spurious
// Waits with a timeout that begins anew each round. Rounds that end for no reason leave the clock at any part
// of a second, which is also in a register: they are recognised all the same.
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

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
    pthread_mutex_lock(&mutex);
    while (!ready) {
        struct timespec deadline, woken;
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_nsec += 10000000;
        pthread_cond_timedwait(&changed, &mutex, &deadline);
        clock_gettime(CLOCK_REALTIME, &woken);
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
