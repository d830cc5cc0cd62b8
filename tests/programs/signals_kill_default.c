// norn: failed killed
// Whether the thread blocks the signal in time decides whether the process ends.
#include <pthread.h>
#include <signal.h>

static void* work(void* unused) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_kill(thread, SIGUSR1);  // found here
    pthread_join(thread, 0);
    return 0;
}
