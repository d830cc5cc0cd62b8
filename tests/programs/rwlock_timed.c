// norn: verified
// classes: maz=4 rf=4
// A reader and a writer with timeouts: either may come first, and the other one too early or later.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void* writer(void* unused) {
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += 1;
    int code = pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &deadline);
    assert(code == 0 || code == ETIMEDOUT);
    if (code != 0) return unused;
    ++value;
    ++value;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    struct timespec deadline;
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    int code = pthread_rwlock_timedrdlock(&lock, &deadline);
    assert(code == 0 || code == ETIMEDOUT);
    if (code == 0) {
        assert(value == 0 || value == 2);
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(thread, NULL);
    return 0;
}
