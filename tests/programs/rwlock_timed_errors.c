// norn: verified
// classes: maz=1 rf=1
// Timed read-write locks of one thread: own write locks are noticed, own read locks are in the way of a
// writer.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void) {
    struct timespec past = {1, 0}, wrong = {1, 1000000000};
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    assert(pthread_rwlock_timedrdlock(&lock, &past) == 0);
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past) == 0);
    assert(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &wrong) == EINVAL);
    assert(pthread_rwlock_unlock(&lock) == 0 && pthread_rwlock_unlock(&lock) == 0);

    assert(pthread_rwlock_timedwrlock(&lock, &past) == 0);
    assert(pthread_rwlock_timedwrlock(&lock, &past) == EDEADLK);
    assert(pthread_rwlock_timedrdlock(&lock, &past) == EDEADLK);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return 0;
}
