// norn: verified
// A signal to the process, which all threads block, goes to one of those that await it.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;
static int got;

static void* wait_for_it(void* unused) {
    int number = 0;
    assert(sigwait(&set, &number) == 0 && number == SIGTERM);
    assert(__atomic_add_fetch(&got, 1, __ATOMIC_SEQ_CST) == 1);
    return unused;
}

int main(void) {
    pthread_t first, second;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&first, 0, wait_for_it, 0);
    pthread_create(&second, 0, wait_for_it, 0);
    pthread_detach(first);
    pthread_detach(second);
    kill(getpid(), SIGTERM);
    return 0;
}
