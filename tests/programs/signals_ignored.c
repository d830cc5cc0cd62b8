// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Signals may be ignored, set back, blocked and asked about; a new thread has the mask of its parent.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

static void* work(void* unused) {
    sigset_t mask;
    assert(pthread_sigmask(SIG_BLOCK, NULL, &mask) == 0);
    assert(sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGTERM) == 0);
    return unused;
}

static int nothing_to_prepare;
static void prepare(void) { ++nothing_to_prepare; }

int main(void) {
    struct sigaction action = {0};
    sigset_t mask;
    pthread_t thread;
    assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL && signal(SIGPIPE, SIG_IGN) == SIG_IGN);
    assert(signal(SIGKILL, SIG_IGN) == SIG_ERR && errno == EINVAL);
    assert(sigaction(SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_IGN);
    action.sa_handler = SIG_DFL;
    assert(sigaction(SIGPIPE, &action, NULL) == 0 && signal(SIGPIPE, SIG_DFL) == SIG_DFL);
    sigemptyset(&mask);
    sigaddset(&mask, SIGINT);
    assert(pthread_sigmask(77, &mask, NULL) == EINVAL && sigprocmask(77, &mask, NULL) == -1);
    assert(sigprocmask(SIG_BLOCK, &mask, NULL) == 0);
    assert(pthread_atfork(prepare, NULL, NULL) == 0 && nothing_to_prepare == 0);
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_kill(thread, 0) == 0 && pthread_kill(pthread_self(), -1) == EINVAL);
    pthread_join(thread, NULL);
    assert(pthread_sigmask(SIG_UNBLOCK, &mask, &mask) == 0 && sigismember(&mask, SIGINT) == 1);
    assert(pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && sigismember(&mask, SIGINT) == 0);
    return 0;
}
