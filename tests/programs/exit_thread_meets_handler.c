// norn: failed assertion
// A detached thread finds what a handler has left behind; by a call of exit.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int closed;

static void clean_up(void) { atomic_store(&closed, 1); }
static void* work(void* unused) {
    pthread_detach(pthread_self());
    assert(!atomic_load(&closed));  // found here
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(clean_up);
    pthread_create(&thread, NULL, work, NULL);
    exit(0);
}
