// norn: failed abort
// SIGABRT ends the process, after its handler.
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

static int handled;
static void handle(int number) { handled += number == SIGABRT; }

int main(void) {
    sigset_t all;
    signal(SIGABRT, handle);
    raise(SIGABRT);
    assert(handled == 1);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    abort();  // found here
}
