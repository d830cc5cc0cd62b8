// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// A thread that ends cannot be cancelled any more: its handler goes past cancellation points.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int reached;

static void wait_again(void* unused) {
    (void)unused;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_testcancel();
    sem_wait(&semaphore);
    reached = 1;
}

static void* work(void* unused) {
    pthread_cleanup_push(wait_again, NULL);
    pthread_cancel(pthread_self());
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void* result = NULL;
    sem_init(&semaphore, 0, 1);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && reached == 1);
    return 0;
}
