// norn: verified
// classes: maz=2 rf=2 obs=2
// A destroyed mutex that is initialised again is a mutex again. Two sections of threads: 2! orders.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int total;

static void* work(void* unused) {
    pthread_mutex_lock(&mutex);
    ++total;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    assert(pthread_mutex_init(&mutex, NULL) == 0);
    assert(pthread_mutex_destroy(&mutex) == 0);
    assert(pthread_mutex_init(&mutex, NULL) == 0);
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, work, NULL);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    assert(total == 2);
    assert(pthread_mutex_destroy(&mutex) == 0);
    return 0;
}
