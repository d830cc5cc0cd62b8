// norn: verified
// classes: maz=6 rf=6 obs=6
// A semaphore of one used as a lock: three sections, 3! orders.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static int total;

static void* work(void* unused) {
    sem_wait(&lock);
    ++total;
    sem_post(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&lock, 0, 1);
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, work, NULL);
    work(NULL);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    assert(total == 3);
    return 0;
}
