// norn: failed livelock
// Waits for a variable on its own stack, to which the other thread writes the value that it has already.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static void* set(void* flag) {
    atomic_store((atomic_int*)flag, 0);
    return NULL;
}

int main(void) {
    atomic_int flag = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, set, &flag);
    while (!atomic_load(&flag)) {
    }
    pthread_join(thread, NULL);
}
