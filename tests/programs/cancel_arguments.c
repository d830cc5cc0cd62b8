// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Error codes, old values, and that locking a mutex is no cancellation point.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int locked;

static void* work(void* unused) {
    int old = -1;
    assert(pthread_setcancelstate(77, &old) == EINVAL && pthread_setcanceltype(77, &old) == EINVAL);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL) == 0);
    pthread_cancel(pthread_self());
    pthread_mutex_lock(&mutex);
    locked = 1;
    pthread_mutex_unlock(&mutex);
    pthread_testcancel();
    assert(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void* result = NULL;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && locked == 1);
    return 0;
}
