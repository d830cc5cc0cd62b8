// norn: verified
// A handler runs in a thread that waits for signals, whether the signal came before or comes then.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

static int told, handled;
static void handle(int number) {
    assert(number == SIGUSR1 && told == 1);
    ++handled;
}

static void* wait_for_it(void* unused) {
    sigset_t none;
    sigemptyset(&none);
    assert(sigsuspend(&none) == -1 && errno == EINTR && handled == 1);
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, 0, &now);
    assert(sigismember(&now, SIGUSR1) == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigset_t set;
    signal(SIGUSR1, handle);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, wait_for_it, 0);
    told = 1;
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, 0);
    assert(handled == 1);
    return 0;
}
