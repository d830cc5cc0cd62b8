// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Main can be cancelled too: it waits for the thread that does it. The process goes on until that one ends.
#include <assert.h>
#include <pthread.h>

static pthread_t first;

static void* work(void* unused) {
    void* result = NULL;
    pthread_cancel(first);
    assert(pthread_join(first, &result) == 0 && result == PTHREAD_CANCELED);
    return unused;
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(0);
    return 0;
}
