// norn: cannot check longjmp
// A jump out of a handler is not modelled; other jumps are.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>

static jmp_buf back;
static sigjmp_buf back_too;
static void handle(int number) { longjmp(back, number); }

int main(void) {
    signal(SIGUSR1, handle);
    if (setjmp(back) == 0) longjmp(back, 1);
    if (sigsetjmp(back_too, 1) == 0) siglongjmp(back_too, 1);
    if (setjmp(back) == 0) raise(SIGUSR1);
    return 0;
}
