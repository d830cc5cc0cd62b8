// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// trylock of a mutex that the thread holds itself says EBUSY; only a recursive one is taken again.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int trylock_twice(int kind) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attributes);
    assert(pthread_mutexattr_settype(&attributes, kind) == 0);
    pthread_mutex_init(&mutex, &attributes);
    assert(pthread_mutex_trylock(&mutex) == 0);
    int code = pthread_mutex_trylock(&mutex);
    if (code == 0) pthread_mutex_unlock(&mutex);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_destroy(&mutex) == 0);
    pthread_mutexattr_destroy(&attributes);
    return code;
}

int main(void) {
    assert(trylock_twice(PTHREAD_MUTEX_NORMAL) == EBUSY);
    assert(trylock_twice(PTHREAD_MUTEX_DEFAULT) == EBUSY);
    assert(trylock_twice(PTHREAD_MUTEX_ERRORCHECK) == EBUSY);
    assert(trylock_twice(PTHREAD_MUTEX_RECURSIVE) == 0);
    return 0;
}
