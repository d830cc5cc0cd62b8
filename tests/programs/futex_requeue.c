// norn: cannot check futex
// Requeueing is not modelled.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static int from, to;

int main(void) {
    syscall(SYS_futex, &from, FUTEX_REQUEUE, 1, (void*)1, &to, 0);
    return 0;
}
