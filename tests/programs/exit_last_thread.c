// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// Main ends by pthread_exit: handlers run when all threads have ended, grandchildren and detached ones too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ended;
static int last;

static void* grandchild(void* unused) {
    pthread_detach(pthread_self());
    last = atomic_fetch_add(&ended, 1) + 1;
    return unused;
}
static void* child(void* unused) {
    pthread_t thread;
    pthread_create(&thread, NULL, grandchild, NULL);
    atomic_fetch_add(&ended, 1);
    return unused;
}
static void clean_up(void) { assert(ended == 2 && last > 0); }

int main(void) {
    pthread_t thread;
    atexit(clean_up);
    pthread_create(&thread, NULL, child, NULL);
    pthread_exit(NULL);
}
