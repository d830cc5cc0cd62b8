// norn: failed use-after-return
// A thread works on a variable of main, and nobody makes main wait for it.
#include <pthread.h>
#include <stdatomic.h>

static void* work(void* counter) {
    atomic_fetch_add((atomic_int*)counter, 1);  // found here
    return NULL;
}

int main(void) {
    atomic_int counter = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, work, &counter);
    return atomic_load(&counter) > 1;
}
