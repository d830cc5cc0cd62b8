// norn: verified
// classes: maz=5 rf=5
// A flag waited for by futex. It is set before the first look; or between that and the second one, of the
// system, whose wake-up finds the thread not there yet, just there, or gone again; or the thread sleeps and
// is woken.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int flag;

static void* set(void* unused) {
    atomic_store(&flag, 1);
    syscall(SYS_futex, &flag, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    while (atomic_load(&flag) == 0) syscall(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    pthread_join(thread, NULL);
    return 0;
}
