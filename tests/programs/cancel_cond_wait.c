// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// A thread that is cancelled in a condition wait has the mutex again when its handler runs.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int handled;

static void unlock(void* unused) {
    (void)unused;
    handled = 1;
    pthread_mutex_unlock(&mutex);
}

static void* work(void* unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, NULL);
    for (;;) pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    void* result = NULL;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && handled == 1);
    assert(pthread_mutex_trylock(&mutex) == 0);
    return 0;
}
