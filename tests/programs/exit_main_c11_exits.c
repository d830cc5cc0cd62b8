// norn: failed deadlock
// The same by thrd_exit, with a handler that would run after the last thread.
#include <stdlib.h>
#include <threads.h>

static mtx_t mutex;

static int lock(void* unused) {
    (void)unused;
    mtx_lock(&mutex);
    return 0;
}
static void at_exit(void) {}

int main(void) {
    thrd_t thread;
    atexit(at_exit);
    mtx_init(&mutex, mtx_plain);
    mtx_lock(&mutex);
    thrd_create(&thread, lock, NULL);
    thrd_exit(0);
}
