// norn: verified
// classes: maz=6 rf=6 obs=6
// Exactly one of three threads gets PTHREAD_BARRIER_SERIAL_THREAD, the others 0. They arrive in 3! orders;
// only the serial thread writes the result.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int serial[3];

static void* work(void* argument) {
    int* mine = argument;
    int code = pthread_barrier_wait(&barrier);
    assert(code == 0 || code == PTHREAD_BARRIER_SERIAL_THREAD);
    *mine = code == PTHREAD_BARRIER_SERIAL_THREAD;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    assert(pthread_barrier_init(&barrier, NULL, 3) == 0);
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, work, &serial[k]);
    work(&serial[2]);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    assert(serial[0] + serial[1] + serial[2] == 1);
    return 0;
}
