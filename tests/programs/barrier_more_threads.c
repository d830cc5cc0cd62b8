// norn: verified
// classes: maz=24 rf=24 obs=24
// Four threads at a barrier for two: all pass, in pairs. They arrive in 4! orders.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_barrier_t barrier;

static void* work(void* unused) {
    (void)unused;
    return (void*)(intptr_t)(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
}

int main(void) {
    pthread_t threads[4];
    int serial = 0;
    pthread_barrier_init(&barrier, NULL, 2);
    for (int k = 0; k < 4; ++k) pthread_create(&threads[k], NULL, work, NULL);
    for (int k = 0; k < 4; ++k) {
        void* result = NULL;
        pthread_join(threads[k], &result);
        serial += (int)(intptr_t)result;
    }
    assert(serial == 2);
    return 0;
}
