// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// An error-checking mutex answers every misuse: EDEADLK, EBUSY and EPERM. The other thread only reads it
// while main holds it: nothing is open.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void* other(void* unused) {
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    return unused;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &attributes);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == EDEADLK);
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return 0;
}
