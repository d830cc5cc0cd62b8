// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// A thread that is cancelled in the initialisation has not done it: the next call does.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int begun, done;

static void initialise(void) {
    ++begun;
    pthread_testcancel();
    ++done;
}

static void* work(void* unused) {
    pthread_cancel(pthread_self());
    pthread_once(&once, initialise);
    assert(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_once(&once, initialise);
    pthread_once(&once, initialise);
    assert(begun == 2 && done == 1);
    return 0;
}
