// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Handlers are remembered, with all that was said about them, in each way to set one.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

static void handle(int number) { (void)number; }
static void tell(int number, siginfo_t* about, void* context) { (void)number, (void)about, (void)context; }

int main(void) {
    struct sigaction action, old;
    assert(signal(SIGINT, handle) == SIG_DFL && signal(SIGINT, SIG_IGN) == handle);
    assert(signal(SIGINT, handle) == SIG_IGN);
    assert(sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler == handle && old.sa_flags == SA_RESTART);
    assert(sigismember(&old.sa_mask, SIGINT) == 1 && sigismember(&old.sa_mask, SIGTERM) == 0);

    memset(&action, 0, sizeof action);
    action.sa_sigaction = tell;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaddset(&action.sa_mask, SIGTERM);
    assert(sigaction(SIGSEGV, &action, &old) == 0 && old.sa_handler == SIG_DFL && old.sa_flags == 0);
    assert(sigaction(SIGSEGV, NULL, &old) == 0 && old.sa_sigaction == tell);
    assert(old.sa_flags == (SA_SIGINFO | SA_ONSTACK) && sigismember(&old.sa_mask, SIGTERM) == 1);
    assert(sigaction(SIGKILL, &action, NULL) == -1 && errno == EINVAL);
    assert(sigaction(SIGKILL, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
    assert(sigaction(0, NULL, NULL) == -1 && sigaction(65, NULL, NULL) == -1);

    assert(siginterrupt(SIGINT, 1) == 0 && sigaction(SIGINT, NULL, &old) == 0 && old.sa_flags == 0);
    assert(sysv_signal(SIGUSR1, handle) == SIG_DFL && sigaction(SIGUSR1, NULL, &old) == 0);
    assert((unsigned)old.sa_flags == (SA_RESETHAND | SA_NODEFER));
    assert(sigset(SIGUSR2, handle) == SIG_DFL && sigset(SIGUSR2, SIG_HOLD) == handle);
    assert(sigset(SIGUSR2, SIG_IGN) == SIG_HOLD && sigset(SIGUSR2, SIG_DFL) == SIG_IGN);
    assert(sighold(SIGHUP) == 0 && sigrelse(SIGHUP) == 0 && sigignore(SIGHUP) == 0);
    assert(signal(SIGHUP, SIG_DFL) == SIG_IGN);

    char memory[16384];
    stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory}, before;
    assert(sigaltstack(NULL, &before) == 0 && before.ss_flags == SS_DISABLE);
    assert(sigaltstack(&stack, NULL) == 0 && sigaltstack(NULL, &before) == 0);
    assert(before.ss_sp == memory && before.ss_size == sizeof memory && before.ss_flags == 0);
    return 0;
}
