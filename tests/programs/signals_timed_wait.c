// norn: failed assertion
// A wait with a timeout may end without the signal.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static sigset_t set;

static void* wait_for_it(void* unused) {
    const struct timespec limit = {1, 0};
    siginfo_t about;
    const int number = sigtimedwait(&set, &about, &limit);
    assert(number == SIGUSR1 || (number == -1 && errno == EAGAIN));
    assert(number == SIGUSR1);  // found here
    return unused;
}

int main(void) {
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, wait_for_it, 0);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, 0);
    return 0;
}
