// norn: failed deadlock
// One waits and is cancelled; the other one, which nobody asks to end, waits for ever.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void* work(void* unused) {
    sem_wait(&never);  // found here
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&never, 0, 0);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
    pthread_cancel(threads[0]);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return 0;
}
