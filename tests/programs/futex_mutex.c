// norn: verified
// A mutex of three states: 0 free, 1 locked, 2 locked and perhaps waited for.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int state;
static int counter;

static void lock(void) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&state, &expected, 1)) return;
    while (atomic_exchange(&state, 2) != 0) syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
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
    assert(counter == 2);
    return 0;
}
