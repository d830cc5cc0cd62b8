// norn: cannot check futex(FUTEX_WAIT_BITSET)
// Of sets of bits only the one with all bits is modelled.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

int main(void) {
    syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 5);
    return 0;
}
