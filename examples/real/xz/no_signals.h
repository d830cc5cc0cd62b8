// liblzma blocks all signals while it starts a thread. norn does not model signals, so liblzma is built with
// -Dpthread_sigmask=norn_harness_sigmask, which does nothing.
#include <signal.h>

int norn_harness_sigmask(int how, const sigset_t* set, sigset_t* old);
int norn_harness_sigmask(int how, const sigset_t* set, sigset_t* old) {
    (void)how, (void)set, (void)old;
    return 0;
}
