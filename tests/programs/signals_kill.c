// norn: failed killed
// pthread_kill to oneself is raise.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

int main(void) {
    pthread_kill(pthread_self(), SIGUSR1);  // found here
    return 0;
}
