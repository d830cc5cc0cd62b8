// norn: failed deadlock
// The worker posts only if it has seen the flag: otherwise nobody ever does.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t done;
static atomic_int waits;

static void* worker(void* unused) {
    if (atomic_load(&waits)) sem_post(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    atomic_store(&waits, 1);
    sem_wait(&done);  // found here
    pthread_join(thread, NULL);
    return 0;
}
