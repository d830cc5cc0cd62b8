// norn: failed deadlock
// Threads that hold what each other needs wait for ever, whatever signal a third one may get.
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void* wait_for_end(void* unused) {
    sigset_t set;
    int number = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigwait(&set, &number);
    return unused;
}
static void* work(void* unused) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return unused;
}

int main(void) {
    pthread_t waiter, worker;
    pthread_create(&waiter, 0, wait_for_end, 0);
    pthread_create(&worker, 0, work, 0);
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    pthread_join(worker, 0);
    return 0;
}
