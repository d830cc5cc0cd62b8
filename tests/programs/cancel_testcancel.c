// norn: verified
// classes: maz=4 rf=4 obs=4 rvf=4
// The request is found by the first, the second or the third test, or comes too late: four ways.
#include <assert.h>
#include <pthread.h>

static int tests;

static void* work(void* result) {
    for (tests = 1; tests <= 3; ++tests) pthread_testcancel();
    return result;
}

int main(void) {
    pthread_t thread;
    int done = 0;
    void* result = NULL;
    pthread_create(&thread, NULL, work, &done);
    assert(pthread_cancel(thread) == 0);
    assert(pthread_join(thread, &result) == 0);
    assert(result == PTHREAD_CANCELED ? tests <= 3 : result == &done && tests == 4);
    return 0;
}
