// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// Each execution finds the actions that there were before main, not those of the execution before.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void early(int number) { (void)number; }
static void late(int number) { (void)number; }
static int shared;

__attribute__((constructor)) static void begin(void) {
    sigset_t set;
    signal(SIGTERM, early);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

static void* work(void* unused) {
    __atomic_store_n(&shared, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigset_t set;
    assert(signal(SIGTERM, late) == early && signal(SIGINT, late) == SIG_DFL);
    assert(sigprocmask(SIG_BLOCK, NULL, &set) == 0 && sigismember(&set, SIGUSR1) == 1);
    sigemptyset(&set);
    sigprocmask(SIG_SETMASK, &set, NULL);
    pthread_create(&thread, NULL, work, NULL);
    const int seen = __atomic_load_n(&shared, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    return seen - seen;
}
