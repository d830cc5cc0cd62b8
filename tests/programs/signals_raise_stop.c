// norn: cannot check SIGTSTP
// A process that stops is not modelled.
#include <signal.h>

int main(void) {
    raise(SIGTSTP);
    return 0;
}
