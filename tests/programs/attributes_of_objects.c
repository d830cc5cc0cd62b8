// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Attributes of condition variables, read-write locks and barriers are accepted and given back.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void) {
    pthread_condattr_t of_condition;
    pthread_rwlockattr_t of_lock;
    pthread_barrierattr_t of_barrier;
    pthread_cond_t condition;
    pthread_rwlock_t lock;
    pthread_barrier_t barrier;
    clockid_t clock = CLOCK_REALTIME;
    int shared = -1, kind = -1;
    assert(pthread_condattr_init(&of_condition) == 0);
    assert(pthread_condattr_setclock(&of_condition, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_getclock(&of_condition, &clock) == 0 && clock == CLOCK_MONOTONIC);
    assert(pthread_condattr_setpshared(&of_condition, 77) == EINVAL);
    assert(pthread_condattr_setpshared(&of_condition, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_cond_init(&condition, &of_condition) == 0 && pthread_cond_signal(&condition) == 0);
    assert(pthread_rwlockattr_init(&of_lock) == 0);
    assert(pthread_rwlockattr_setpshared(&of_lock, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_rwlockattr_getpshared(&of_lock, &shared) == 0 && shared == PTHREAD_PROCESS_SHARED);
    assert(pthread_rwlockattr_setkind_np(&of_lock, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) == 0);
    assert(pthread_rwlockattr_getkind_np(&of_lock, &kind) == 0);
    assert(kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    assert(pthread_rwlock_init(&lock, &of_lock) == 0 && pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_barrierattr_init(&of_barrier) == 0);
    assert(pthread_barrierattr_setpshared(&of_barrier, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_barrier_init(&barrier, &of_barrier, 1) == 0);
    assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(pthread_condattr_destroy(&of_condition) == 0 && pthread_rwlockattr_destroy(&of_lock) == 0);
    assert(pthread_barrierattr_destroy(&of_barrier) == 0);
    return 0;
}
