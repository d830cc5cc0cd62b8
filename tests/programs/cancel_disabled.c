// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// While cancellation is disabled, waits and tests are no cancellation points; the request stays until it is
// enabled again, and the one test after that finds it or not.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t go;
static int reached;

static void* work(void* result) {
    int old = -1;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
    sem_wait(&go);
    pthread_testcancel();
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
    reached = 1;
    pthread_testcancel();
    return result;
}

int main(void) {
    pthread_t thread;
    void* result = NULL;
    sem_init(&go, 0, 0);
    pthread_create(&thread, NULL, work, &go);
    sem_post(&go);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(reached == 1);
    assert(result == PTHREAD_CANCELED || result == &go);
    return 0;
}
