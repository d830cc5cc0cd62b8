// norn: cannot check fork
// Processes are not modelled.
#include <unistd.h>

int main(void) { return fork() == 0; }
