// norn: verified
// _exit runs no handler, whoever calls it, and ends threads that wait.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t never;

static void handler(void) { assert(0); }
static void* leave(void* unused) {
    (void)unused;
    _exit(0);
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    atexit(handler);
    at_quick_exit(handler);
    pthread_create(&thread, NULL, leave, NULL);
    sem_wait(&never);
    return 0;
}
