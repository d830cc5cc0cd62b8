// norn: failed assertion
// Three wait and two are woken, whichever these are: also the last one.
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int bed;
static atomic_int awake[3];

static void* sleeper(void* mine) {
    if (syscall(SYS_futex, &bed, FUTEX_WAIT, 0, NULL, NULL, 0) == 0) atomic_store((atomic_int*)mine, 1);
    return NULL;
}

int main(void) {
    pthread_t thread[3];
    for (int i = 0; i < 3; ++i) pthread_create(&thread[i], NULL, sleeper, &awake[i]);
    if (syscall(SYS_futex, &bed, FUTEX_WAKE, 2, NULL, NULL, 0) == 2)
        assert(!atomic_load(&awake[1]) || !atomic_load(&awake[2]));  // found here
    atomic_store(&bed, 1);
    syscall(SYS_futex, &bed, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    for (int i = 0; i < 3; ++i) pthread_join(thread[i], NULL);
    return 0;
}
