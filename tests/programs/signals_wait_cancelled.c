// norn: verified
// A thread that awaits a signal can be cancelled.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void* wait_for_it(void* unused) {
    sigset_t set;
    int number = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigwait(&set, &number);
    return unused;
}

int main(void) {
    pthread_t thread;
    void* result = 0;
    pthread_create(&thread, 0, wait_for_it, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
