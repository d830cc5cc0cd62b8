// norn: failed assertion
// A handler runs while a thread that main has not joined still works.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int working;

static void* work(void* unused) {
    atomic_store(&working, 1);
    atomic_store(&working, 0);
    return unused;
}
static void clean_up(void) {
    assert(atomic_load(&working) == 0);  // found here
}

int main(void) {
    pthread_t thread;
    atexit(clean_up);
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}
