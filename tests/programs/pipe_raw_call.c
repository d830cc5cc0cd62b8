// norn: cannot check syscall(SYS_pipe2)
// A pipe of the kernel would block the engine.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    return (int)syscall(SYS_pipe2, ends, 0);
}
