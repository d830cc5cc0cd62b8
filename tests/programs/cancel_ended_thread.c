// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// A request to a thread without cancellation points changes nothing, also if it has ended already.
#include <assert.h>
#include <pthread.h>

static void* work(void* unused) { return unused; }

int main(void) {
    pthread_t thread;
    void* result = NULL;
    pthread_create(&thread, NULL, work, &thread);
    assert(pthread_cancel(thread) == 0);
    assert(pthread_join(thread, &result) == 0 && result == &thread);
    return 0;
}
