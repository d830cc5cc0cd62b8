// norn: failed deadlock
// A signal wakes one of two waiters, the other one waits for ever.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int flag;

static void* waiter(void* unused) {
    pthread_mutex_lock(&mutex);
    while (flag == 0) pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&mutex);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    return 0;
}
