// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// The handle of a thread is stored before the thread begins. Who finds it can use it at once: the other one
// is cancelled then, whether it has begun or not. Who comes too early finds none.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static _Atomic pthread_t worker;
static sem_t go;

static void* work(void* unused) {
    sem_wait(&go);
    return unused;
}

static void* cancel(void* unused) {
    const pthread_t found = worker;
    if (found != 0) assert(pthread_cancel(found) == 0);
    if (found == 0) sem_post(&go);
    return unused;
}

int main(void) {
    pthread_t canceller, own;
    pthread_create(&canceller, NULL, cancel, NULL);
    pthread_create((pthread_t*)&worker, NULL, work, NULL);
    own = worker;
    pthread_join(own, NULL);
    pthread_join(canceller, NULL);
    return 0;
}
