// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// Posted and cancelled: the thread gets what was posted, or is cancelled and leaves it there.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void* work(void* result) {
    sem_wait(&semaphore);
    return result;
}

int main(void) {
    pthread_t thread;
    int value = -1;
    void* result = NULL;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, work, &value);
    sem_post(&semaphore);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    sem_getvalue(&semaphore, &value);
    assert(result == PTHREAD_CANCELED ? value == 1 : value == 0);
    return 0;
}
