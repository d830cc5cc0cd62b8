// norn: verified
// classes: maz=4 rf=4
// Two mutexes in different order, and no deadlock, since one of the threads gives up. The other one is wholly
// before it, or wholly after; or it has `a` for long, or waits for `b` with it, while the first one tries.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void* patient(void* unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void) {
    struct timespec deadline;
    pthread_t thread;
    pthread_create(&thread, NULL, patient, NULL);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    pthread_mutex_lock(&b);
    int code = pthread_mutex_timedlock(&a, &deadline);
    assert(code == 0 || code == ETIMEDOUT);
    if (code == 0) pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(thread, NULL);
    return 0;
}
