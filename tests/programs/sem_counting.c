// norn: verified
// classes: maz=54 rf=54 obs=54
// Three threads, two permits. The operations of the semaphore are ordered, posts and waits, so that the value
// is never below 0: of the 6! / 2^3 = 90 orders that keep each thread's own, those in which all three wait
// first (3! * 3! = 36) are impossible.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;

static void* work(void* unused) {
    sem_wait(&permits);
    sem_post(&permits);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    int value = -1;
    sem_init(&permits, 0, 2);
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, work, NULL);
    work(NULL);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    assert(sem_getvalue(&permits, &value) == 0 && value == 2);
    return 0;
}
