// norn: failed deadlock
// Main joins a thread that waits for a post that never comes.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void* waiter(void* unused) {
    sem_wait(&never);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_join(thread, NULL);
    return 0;
}
