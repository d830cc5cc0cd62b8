// norn: failed deadlock
// One of two is woken.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int gate;

static void* pass(void* unused) {
    while (atomic_load(&gate) == 0) syscall(SYS_futex, &gate, FUTEX_WAIT, 0, NULL, NULL, 0);  // found here
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, pass, NULL);
    pthread_create(&second, NULL, pass, NULL);
    atomic_store(&gate, 1);
    syscall(SYS_futex, &gate, FUTEX_WAKE, 1, NULL, NULL, 0);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
