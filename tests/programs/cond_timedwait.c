// norn: verified
// classes: maz=4 rf=4
// A condition waited for with a timeout. The other thread is first; or it signals the waiting one; or that
// has stopped waiting by then, and takes the mutex before the other one or after it: then it is late, but in
// luck.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void* make_ready(void* unused) {
    pthread_mutex_lock(&mutex);
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    struct timespec deadline;
    pthread_t thread;
    int code = 0;
    pthread_create(&thread, NULL, make_ready, NULL);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    pthread_mutex_lock(&mutex);
    while (!ready && code == 0) code = pthread_cond_timedwait(&changed, &mutex, &deadline);
    assert(ready || code == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
