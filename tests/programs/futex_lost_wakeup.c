// norn: failed deadlock
// The word that is slept on never changes: who looks at the flag just before it is set sleeps after the
// wake-up.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int flag;
static atomic_int bed;

static void* set(void* unused) {
    atomic_store(&flag, 1);
    syscall(SYS_futex, &bed, FUTEX_WAKE, 1, NULL, NULL, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    if (atomic_load(&flag) == 0) syscall(SYS_futex, &bed, FUTEX_WAIT, 0, NULL, NULL, 0);  // found here
    pthread_join(thread, NULL);
    return 0;
}
