// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Unlocked without being made consistent, the mutex is of no use any more, but it can be destroyed.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void* work(void* unused) {
    pthread_mutex_lock(&mutex);
    pthread_exit(unused);
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    assert(pthread_mutex_consistent(&mutex) == EINVAL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_trylock(&mutex) == EOWNERDEAD);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
    assert(pthread_mutex_trylock(&mutex) == ENOTRECOVERABLE);
    assert(pthread_mutex_consistent(&mutex) == EINVAL);
    assert(pthread_mutex_destroy(&mutex) == 0);
    return 0;
}
