// norn: cannot check siglongjmp
// A jump that puts the mask back is not modelled once the mask was changed.
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf back;

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (sigsetjmp(back, 1) != 0) return 0;
    sigprocmask(SIG_BLOCK, &set, 0);
    siglongjmp(back, 1);
}
