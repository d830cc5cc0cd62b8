// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Nobody posts: the thread waits until it is cancelled, whenever that is.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void* work(void* unused) {
    sem_wait(&never);
    assert(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void* result = NULL;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    return 0;
}
