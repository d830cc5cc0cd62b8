// norn: failed livelock
// One way out of the function forgets to give the lock back.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int counter;

static void* increment(void* unused) {
    while (atomic_flag_test_and_set(&taken)) {  // found here
    }
    if (++counter == 2) return unused;
    atomic_flag_clear(&taken);
    return unused;
}

int main(void) {
    pthread_t thread[3];
    for (int i = 0; i < 3; ++i) pthread_create(&thread[i], NULL, increment, NULL);
    for (int i = 0; i < 3; ++i) pthread_join(thread[i], NULL);
    return 0;
}
