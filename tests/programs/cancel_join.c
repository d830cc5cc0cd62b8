// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// A thread is cancelled while it joins another one, which can still be joined by somebody else.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t go;
static pthread_t worker;

static void* work(void* unused) {
    sem_wait(&go);
    return unused;
}

static void* join(void* unused) {
    pthread_join(worker, NULL);
    return unused;
}

int main(void) {
    pthread_t joiner;
    void* result = NULL;
    sem_init(&go, 0, 0);
    pthread_create(&worker, NULL, work, &go);
    pthread_create(&joiner, NULL, join, NULL);
    pthread_cancel(joiner);
    pthread_join(joiner, &result);
    assert(result == PTHREAD_CANCELED);
    sem_post(&go);
    assert(pthread_join(worker, &result) == 0 && result == &go);
    return 0;
}
