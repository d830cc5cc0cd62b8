// norn: cannot check signal
// A signal handler is not modelled.
#include <signal.h>

static void handle(int number) { (void)number; }

int main(void) {
    signal(SIGINT, handle);
    return 0;
}
