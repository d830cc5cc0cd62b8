// norn: verified
// classes: maz=1 rf=1
// What the system call returns at once, and after a timeout: relative with FUTEX_WAIT, else a point in time.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word[2];

static long futex(void* at, int operation, int value, const struct timespec* time) {
    return syscall(SYS_futex, at, operation, value, time, NULL, FUTEX_BITSET_MATCH_ANY);
}

int main(void) {
    struct timespec soon = {0, 1000}, past = {1, 0}, before, after;
    assert(futex(word, FUTEX_WAKE, 1, NULL) == 0);
    assert(futex(word, FUTEX_WAKE_BITSET, 1, NULL) == 0);
    assert(futex(word, FUTEX_WAIT, 7, NULL) == -1 && errno == EAGAIN);
    assert(futex((char*)word + 1, FUTEX_WAIT, 0, NULL) == -1 && errno == EINVAL);
    assert(futex(word, FUTEX_WAIT_BITSET, 0, &past) == -1 && errno == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert(futex(word, FUTEX_WAIT, 0, &soon) == -1 && errno == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec > before.tv_sec || after.tv_nsec >= before.tv_nsec + 1000);
    return 0;
}
