// norn: verified
// Two threads end the process: handlers run once, in the thread that was first; the other one waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int runs;

static void handler(void) { assert(atomic_fetch_add(&runs, 1) == 0); }
static void* leave(void* unused) {
    (void)unused;
    exit(0);
    assert(0);
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, leave, NULL);
    return 0;
}
