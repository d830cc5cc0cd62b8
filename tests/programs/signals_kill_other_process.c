// norn: cannot check kill
// Signals to other processes are not modelled.
#include <signal.h>
#include <unistd.h>

int main(void) {
    kill(getppid(), 0);
    return 0;
}
