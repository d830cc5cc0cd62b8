// norn: cannot check pthread_kill
// Signals between threads are not modelled.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

int main(void) {
    pthread_kill(pthread_self(), SIGUSR1);
    return 0;
}
