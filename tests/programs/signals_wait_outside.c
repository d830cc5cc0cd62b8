// norn: verified
// A thread that awaits a signal from outside is no deadlock, nor is one that waits for its end.
#include <pthread.h>
#include <signal.h>

static int shared;

static void* wait_for_end(void* unused) {
    sigset_t set;
    int number = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGRTMIN);
    sigwait(&set, &number);
    return unused;
}
static void* work(void* unused) {
    __atomic_add_fetch(&shared, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t waiter, worker;
    pthread_create(&waiter, 0, wait_for_end, 0);
    pthread_create(&worker, 0, work, 0);
    __atomic_add_fetch(&shared, 1, __ATOMIC_SEQ_CST);
    pthread_join(worker, 0);
    pthread_join(waiter, 0);
    return 0;
}
