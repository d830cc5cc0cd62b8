// norn: failed assertion
// After a timed wait, however long, what was waited for need not be so.
#include <assert.h>
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
    pthread_create(&thread, NULL, make_ready, NULL);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 86400;
    pthread_mutex_lock(&mutex);
    if (!ready) pthread_cond_timedwait(&changed, &mutex, &deadline);
    assert(ready);  // found here
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
