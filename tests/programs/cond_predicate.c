// norn: verified
// classes: maz=2 rf=2 obs=2
// A wait in a loop with its predicate: whichever section comes first decides whether the thread waits at all.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int flag, data;

static void* waiter(void* unused) {
    pthread_mutex_lock(&mutex);
    while (flag == 0) assert(pthread_cond_wait(&ready, &mutex) == 0);
    assert(data == 42);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    data = 42;
    flag = 1;
    assert(pthread_cond_signal(&ready) == 0);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(pthread_cond_destroy(&ready) == 0);
    return 0;
}
