// norn: cannot check sigaction
// A signal handler is not modelled.
#define _GNU_SOURCE
#include <signal.h>

static void handle(int number) { (void)number; }

int main(void) {
    struct sigaction action = {0};
    action.sa_handler = handle;
    sigaction(SIGINT, &action, NULL);
    return 0;
}
