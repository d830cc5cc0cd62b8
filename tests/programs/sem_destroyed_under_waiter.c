// norn: failed semaphore-misuse
// A semaphore is destroyed while a thread waits for it.
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void* waiter(void* unused) {
    sem_wait(&semaphore);  // found here
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, waiter, NULL);
    sem_destroy(&semaphore);
    pthread_join(thread, NULL);
    return 0;
}
