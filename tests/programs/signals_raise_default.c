// norn: failed killed
// A signal without a handler ends the process.
#include <signal.h>

int main(void) {
    signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);  // found here
    return 0;
}
