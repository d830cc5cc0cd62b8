// norn: verified
// classes: maz=1 rf=1
// What a timed lock says to who has the mutex already, by kind of mutex. A deadline that is none matters only
// if there is something to wait for.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static void init(pthread_mutex_t* mutex, int kind) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    pthread_mutex_init(mutex, &attributes);
}

int main(void) {
    struct timespec past = {1, 0}, wrong = {1, 1000000000}, negative = {1, -1};
    pthread_mutex_t mutex;
    init(&mutex, PTHREAD_MUTEX_NORMAL);
    assert(pthread_mutex_timedlock(&mutex, &past) == 0);
    assert(pthread_mutex_timedlock(&mutex, &past) == ETIMEDOUT);
    assert(pthread_mutex_timedlock(&mutex, &wrong) == EINVAL);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &negative) == EINVAL);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_timedlock(&mutex, &wrong) == 0);

    init(&mutex, PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutex_timedlock(&mutex, &past) == 0);
    assert(pthread_mutex_timedlock(&mutex, &past) == EDEADLK);

    init(&mutex, PTHREAD_MUTEX_RECURSIVE);
    assert(pthread_mutex_timedlock(&mutex, &past) == 0);
    assert(pthread_mutex_timedlock(&mutex, &past) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return 0;
}
