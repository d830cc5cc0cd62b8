// norn: verified
// classes: maz=3 rf=3 obs=3
// A recursive mutex is free only after as many unlocks as locks, and others cannot unlock it: EPERM.
// The outer lock and the last unlock are what others see: the other's trylock comes before, between or after.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int value;

static void* other(void* unused) {
    int code = pthread_mutex_trylock(&mutex);
    assert(code == 0 || code == EBUSY);
    if (code == 0) {
        assert(value == 0 || value == 3);
        assert(pthread_mutex_unlock(&mutex) == 0);
    }
    return unused;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, NULL, other, NULL);
    for (int k = 0; k < 3; ++k) {
        assert(pthread_mutex_lock(&mutex) == 0);
        ++value;
    }
    for (int k = 0; k < 3; ++k) assert(pthread_mutex_unlock(&mutex) == 0);
    pthread_join(thread, NULL);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return 0;
}
