// norn: failed deadlock
// A semaphore that nobody has posted: as static memory it begins at 0, also without sem_init.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void* work(void* unused) {
    sem_wait(&never);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
