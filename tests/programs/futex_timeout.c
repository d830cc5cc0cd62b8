// norn: verified
// A wait with a timeout: woken, too late to sleep, or in vain. One look at the flag afterwards tells nothing
// else.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag;

static void* set(void* unused) {
    atomic_store(&flag, 1);
    syscall(SYS_futex, &flag, FUTEX_WAKE, 1, NULL, NULL, 0);
    return unused;
}

int main(void) {
    struct timespec timeout = {1, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    long code = syscall(SYS_futex, &flag, FUTEX_WAIT, 0, &timeout, NULL, 0);
    if (code == 0 || errno == EAGAIN)
        assert(atomic_load(&flag) == 1);
    else
        assert(errno == ETIMEDOUT);
    pthread_join(thread, NULL);
    return 0;
}
