// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// Two threads wait for the mutex of one that has ended. Either is told first and gives the mutex up for good;
// the other one, which may wait already, is told that.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void* end_with_it(void* unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}

static void* give_up(void* unused) {
    const int code = pthread_mutex_lock(&mutex);
    assert(code == EOWNERDEAD || code == ENOTRECOVERABLE);
    if (code == EOWNERDEAD) pthread_mutex_unlock(&mutex);
    return code == EOWNERDEAD ? &mutex : unused;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t owner, threads[2];
    void* results[2];
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&owner, NULL, end_with_it, NULL);
    pthread_join(owner, NULL);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, give_up, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], &results[i]);
    assert((results[0] == &mutex) != (results[1] == &mutex));
    return 0;
}
