// norn: failed assertion
// The request may come after the last cancellation point: then the thread returns.
#include <assert.h>
#include <pthread.h>

static void* work(void* unused) {
    pthread_testcancel();
    return unused;
}

int main(void) {
    pthread_t thread;
    void* result = NULL;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);  // found here
    return 0;
}
