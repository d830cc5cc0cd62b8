// norn: verified
// A signal that is ignored, or sent to a thread that has ended, changes nothing.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void* work(void* unused) { return unused; }

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, SIG_IGN);
    pthread_create(&thread, 0, work, 0);
    assert(pthread_kill(thread, SIGUSR1) == 0 && pthread_kill(thread, SIGCHLD) == 0);
    assert(kill(getpid(), SIGUSR1) == 0 && kill(getpid(), SIGWINCH) == 0 && kill(getpid(), 0) == 0);
    pthread_join(thread, 0);
    assert(alarm(0) == 0);
    return 0;
}
