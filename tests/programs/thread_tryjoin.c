// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// A join that does not wait: the thread has ended by then, or not.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void* work(void* result) { return result; }

int main(void) {
    pthread_t thread;
    void* result = NULL;
    pthread_create(&thread, NULL, work, &thread);
    assert(pthread_tryjoin_np(pthread_self(), NULL) == EBUSY);
    const int code = pthread_tryjoin_np(thread, &result);
    assert(code == 0 || (code == EBUSY && result == NULL));
    if (code != 0) assert(pthread_join(thread, &result) == 0);
    assert(result == &thread);
    return 0;
}
