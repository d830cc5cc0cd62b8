// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// raise runs the handler before it returns; a blocked one runs when it is unblocked.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

static int count, nested, once;
static sigset_t inside;

static void handle(int number) {
    assert(number == SIGUSR1);
    ++count;
    pthread_sigmask(SIG_BLOCK, NULL, &inside);
}
static void again(int number, siginfo_t* about, void* context) {
    assert(number == SIGUSR2 && about->si_signo == SIGUSR2 && context != NULL);
    if (++nested < 3) raise(SIGUSR2);
}
static void only_once(int number) { once += number == SIGHUP; }

int main(void) {
    struct sigaction action;
    sigset_t set, pending;
    signal(SIGUSR1, handle);
    assert(raise(SIGUSR1) == 0 && count == 1 && sigismember(&inside, SIGUSR1) == 1);
    pthread_sigmask(SIG_BLOCK, NULL, &inside);
    assert(sigismember(&inside, SIGUSR1) == 0);

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    assert(raise(SIGUSR1) == 0 && pthread_kill(pthread_self(), SIGUSR1) == 0 && count == 1);
    assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 1);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    assert(count == 2);  // not queued
    assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 0);

    // Who begins to ignore a signal does not get it any more.
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR1, handle);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    assert(count == 2);

    memset(&action, 0, sizeof action);
    action.sa_sigaction = again;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGUSR2, &action, NULL);
    assert(raise(SIGUSR2) == 0 && nested == 3);
    action.sa_flags = SA_SIGINFO;  // blocked meanwhile: one after the other
    sigaction(SIGUSR2, &action, NULL);
    nested = 0;
    assert(raise(SIGUSR2) == 0 && nested == 3);

    memset(&action, 0, sizeof action);
    action.sa_handler = only_once;
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGHUP, &action, NULL);
    assert(raise(SIGHUP) == 0 && once == 1 && signal(SIGHUP, SIG_IGN) == SIG_DFL && raise(SIGHUP) == 0);
    assert(raise(SIGCHLD) == 0 && raise(SIGURG) == 0 && raise(0) == 0 && raise(-1) == -1 && raise(99) == -1);
    return 0;
}
