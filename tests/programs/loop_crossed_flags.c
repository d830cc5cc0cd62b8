// norn: failed livelock
// Each waits for the other's flag before it sets its own.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done[2];

static void* work(void* argument) {
    int me = argument != NULL;
    while (!atomic_load(&done[1 - me])) {  // found here
    }
    atomic_store(&done[me], 1);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, &done);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
