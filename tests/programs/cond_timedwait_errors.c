// norn: verified
// classes: maz=1 rf=1
// A wait with a deadline that is none does not begin. One in vain ends after its deadline, with the mutex.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

int main(void) {
    struct timespec wrong = {1, 1000000000}, deadline, now;
    pthread_mutex_t mutex;
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &attributes);
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += 1;

    pthread_mutex_lock(&mutex);
    assert(pthread_cond_timedwait(&never, &mutex, &wrong) == EINVAL);
    assert(pthread_cond_clockwait(&never, &mutex, CLOCK_MONOTONIC, &wrong) == EINVAL);
    assert(pthread_cond_clockwait(&never, &mutex, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec >= deadline.tv_sec);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_cond_timedwait(&never, &mutex, &deadline) == EPERM);
    return 0;
}
