// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// A request that is there when the wait begins is acted upon, even if the wait would be over at once.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void* work(void* unused) {
    pthread_cancel(pthread_self());
    sem_wait(&semaphore);
    assert(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    int value = -1;
    void* result = NULL;
    sem_init(&semaphore, 0, 1);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    sem_getvalue(&semaphore, &value);
    assert(result == PTHREAD_CANCELED && value == 1);
    return 0;
}
