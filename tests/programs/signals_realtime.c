// norn: cannot check raise
// Real-time signals may be blocked, but to send one is not modelled.
#include <assert.h>
#include <signal.h>

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, 0);
    sigemptyset(&set);
    sigprocmask(SIG_BLOCK, 0, &set);
    assert(sigismember(&set, SIGRTMIN) == 1);
    raise(SIGRTMIN);
    return 0;
}
