// norn: verified
// classes: maz=2 rf=2 obs=2
// Who has passed a barrier may destroy it and free it, even if others have yet to go on: they have arrived.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void* work(void* argument) {
    pthread_barrier_t* barrier = argument;
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        assert(pthread_barrier_destroy(barrier) == 0);
        free(barrier);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_t* barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_create(&thread, NULL, work, barrier);
    work(barrier);
    pthread_join(thread, NULL);
    return 0;
}
