// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// The try forms against a lock held by main, for writing, then for reading: EBUSY unless both read. The
// thread is joined before main goes on: nothing is open.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* beside_writer(void* unused) {
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    return unused;
}

static void* beside_reader(void* unused) {
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return unused;
}

static void run(void* (*function)(void*)) {
    pthread_t thread;
    pthread_create(&thread, NULL, function, NULL);
    pthread_join(thread, NULL);
}

int main(void) {
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    run(beside_writer);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    run(beside_reader);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    return 0;
}
