// norn: failed deadlock
// The process never ends: a handler wants a mutex that a thread keeps.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;

static void* keep(void* unused) {
    pthread_mutex_lock(&mutex);
    sem_wait(&never);
    return unused;
}
static void clean_up(void) { pthread_mutex_lock(&mutex); }

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    atexit(clean_up);
    pthread_create(&thread, NULL, keep, NULL);
    return 0;
}
