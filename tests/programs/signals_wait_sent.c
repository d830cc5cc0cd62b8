// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// A thread that awaits signals gets them from another one, sent before it waits or after: the lower number
// first if both are there, else the one that was sent first. What the sender wrote before is seen.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static sigset_t set;
static int told;

static void* wait_for_both(void* unused) {
    int first = 0;
    siginfo_t second;
    assert(sigwait(&set, &first) == 0 && told == 1);
    assert(sigwaitinfo(&set, &second) == second.si_signo);
    assert(first + second.si_signo == SIGUSR1 + SIGUSR2 && first != second.si_signo);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, wait_for_both, 0);
    told = 1;
    assert(pthread_kill(thread, SIGUSR2) == 0 && pthread_kill(thread, SIGUSR1) == 0);
    pthread_join(thread, 0);
    return 0;
}
