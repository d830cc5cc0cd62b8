// norn: verified
// classes: maz=2 rf=2 obs=2
// Two threads take two mutexes in the same order: who gets the first one decides everything.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void* work(void* unused) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    ++total;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(total == 2);
    return 0;
}
