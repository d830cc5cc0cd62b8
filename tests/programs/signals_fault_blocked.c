// norn: failed segmentation-fault
// A handler for another signal, or one that is ignored or blocked, does not help against a fault.
#include <signal.h>

static void handle(int number) { (void)number; }

int main(void) {
    sigset_t set;
    signal(SIGBUS, handle);
    signal(SIGFPE, handle);
    signal(SIGSEGV, handle);
    sigemptyset(&set);
    sigaddset(&set, SIGSEGV);
    sigprocmask(SIG_BLOCK, &set, 0);
    int* volatile nowhere = 0;
    *nowhere = 1;  // found here
    return 0;
}
