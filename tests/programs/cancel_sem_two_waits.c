// norn: verified
// classes: maz=3 rf=3 obs=3 rvf=3
// Cancelled at the first wait, cancelled at the second, or too late: what was taken tells which.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int taken;

static void* work(void* result) {
    for (taken = 0; taken < 2; ++taken) sem_wait(&semaphore);
    return result;
}

int main(void) {
    pthread_t thread;
    int value = -1;
    void* result = NULL;
    sem_init(&semaphore, 0, 2);
    pthread_create(&thread, NULL, work, &value);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    sem_getvalue(&semaphore, &value);
    assert(value == 2 - taken);
    assert((result == PTHREAD_CANCELED) == (taken < 2));
    return 0;
}
