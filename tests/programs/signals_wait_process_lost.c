// norn: failed assertion
// Which of two threads gets a signal to the process is not certain.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;

static void* wait_for_it(void* which) {
    int number = 0;
    sigwait(&set, &number);
    assert(which == 0);  // found here
    return which;
}

int main(void) {
    pthread_t first, second;
    static int other;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&first, 0, wait_for_it, 0);
    pthread_create(&second, 0, wait_for_it, &other);
    pthread_detach(first);
    pthread_detach(second);
    kill(getpid(), SIGTERM);
    return 0;
}
