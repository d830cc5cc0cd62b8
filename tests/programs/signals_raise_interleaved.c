// norn: failed assertion
// A handler that raise has called is code of its thread: others see what it has done by half.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int first, second;

static void handle(int number) {
    (void)number;
    __atomic_store_n(&first, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&second, 1, __ATOMIC_SEQ_CST);
}
static void* work(void* unused) {
    raise(SIGUSR1);
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, work, NULL);
    const int one = __atomic_load_n(&first, __ATOMIC_SEQ_CST);
    const int two = __atomic_load_n(&second, __ATOMIC_SEQ_CST);
    assert(one == two);  // found here
    pthread_join(thread, NULL);
    return 0;
}
