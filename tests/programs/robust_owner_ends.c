// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// The owner ends without unlocking. Main takes the mutex before it, or after its death: then it is told.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void* work(void* unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    int robust = -1;
    pthread_mutexattr_init(&attributes);
    assert(pthread_mutexattr_setrobust(&attributes, 77) == EINVAL);
    assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutexattr_getrobust(&attributes, &robust) == 0 && robust == PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, NULL, work, NULL);
    const int code = pthread_mutex_lock(&mutex);
    assert(code == 0 || code == EOWNERDEAD);
    if (code == EOWNERDEAD) assert(pthread_mutex_consistent(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    pthread_join(thread, NULL);
    assert(pthread_mutex_lock(&mutex) == (code == 0 ? EOWNERDEAD : 0));
    return 0;
}
