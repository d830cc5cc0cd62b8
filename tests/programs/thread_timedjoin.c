// norn: verified
// classes: maz=2 rf=2
// The thread has ended, or the time is over before: then it can still be joined.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static int token;

static void* work(void* unused) {
    (void)unused;
    return &token;
}

int main(void) {
    struct timespec deadline;
    pthread_t thread;
    void* result = NULL;
    pthread_create(&thread, NULL, work, NULL);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    int code = pthread_timedjoin_np(thread, &result, &deadline);
    if (code == 0) {
        assert(result == &token);
        return 0;
    }
    assert(code == ETIMEDOUT && result == NULL);
    assert(pthread_join(thread, &result) == 0 && result == &token);
    return 0;
}
