// norn: failed deadlock
// A signal that nobody waits for is lost: without a predicate the waiter may come too late.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void* waiter(void* unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_cond_signal(&ready);
    pthread_join(thread, NULL);
    return 0;
}
