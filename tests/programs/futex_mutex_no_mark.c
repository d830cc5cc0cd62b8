// norn: failed deadlock
// A mutex of three states whose waiters do not leave the mark of being there: nobody wakes them.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int state;
static int counter;

static void lock(void) {
    for (;;) {
        int expected = 0;
        if (atomic_compare_exchange_strong(&state, &expected, 1)) return;
        syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);  // found here
    }
}

static void unlock(void) {
    if (atomic_exchange(&state, 0) == 2) syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void* increment(void* unused) {
    lock();
    ++counter;
    unlock();
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
