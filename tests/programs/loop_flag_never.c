// norn: failed livelock
// Nobody sets the flag.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void* forget(void* unused) {
    atomic_load(&ready);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, forget, NULL);
    while (!atomic_load(&ready)) {  // found here
    }
    pthread_join(thread, NULL);
    return 0;
}
