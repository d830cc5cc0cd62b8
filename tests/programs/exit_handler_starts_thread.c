// norn: failed assertion
// A handler starts a thread and waits for it; a second one does not wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;

static void* work(void* unused) {
    atomic_fetch_add(&done, 1);
    return unused;
}
static void start(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(atomic_load(&done) == 1);
    pthread_create(&thread, NULL, work, NULL);
    assert(atomic_load(&done) == 2);  // found here
}

int main(void) {
    atexit(start);
    return 0;
}
