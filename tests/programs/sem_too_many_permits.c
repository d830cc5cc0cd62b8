// norn: failed assertion
// A semaphore of two does not exclude: the two threads can be within at the same time.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t permits;
static atomic_int inside;

static void* work(void* unused) {
    sem_wait(&permits);
    assert(atomic_fetch_add(&inside, 1) == 0);  // found here
    atomic_fetch_sub(&inside, 1);
    sem_post(&permits);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&permits, 0, 2);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
