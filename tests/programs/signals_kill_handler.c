// norn: cannot check pthread_kill
// A handler that would interrupt another thread anywhere is not modelled.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t never;
static void handle(int number) { (void)number; }
static void* work(void* unused) {
    sem_wait(&never);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    signal(SIGUSR1, handle);
    pthread_create(&thread, 0, work, 0);
    pthread_kill(thread, SIGUSR1);
    sem_post(&never);
    pthread_join(thread, 0);
    return 0;
}
