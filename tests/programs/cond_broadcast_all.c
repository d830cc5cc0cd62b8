// norn: verified
// classes: maz=10 rf=10 obs=10
// A broadcast wakes all who wait. The sections of two waiters and main come in any order; who waited comes
// back after main, before or after the others: main first 2, second 2 * 2, last 2 * 2.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int flag, passed;

static void* waiter(void* unused) {
    pthread_mutex_lock(&mutex);
    while (flag == 0) pthread_cond_wait(&ready, &mutex);
    ++passed;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    flag = 1;
    assert(pthread_cond_broadcast(&ready) == 0);
    pthread_mutex_unlock(&mutex);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    assert(passed == 2);
    return 0;
}
