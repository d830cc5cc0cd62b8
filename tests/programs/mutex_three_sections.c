// norn: verified
// classes: maz=6 rf=6 obs=6
// Three critical sections exclude each other: they come in 3! orders, and nothing else is open.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside, total;

static void* work(void* unused) {
    assert(pthread_mutex_lock(&mutex) == 0);
    ++inside;
    assert(inside == 1);
    ++total;
    --inside;
    assert(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int k = 0; k < 3; ++k) pthread_create(&threads[k], NULL, work, NULL);
    for (int k = 0; k < 3; ++k) pthread_join(threads[k], NULL);
    assert(total == 3);
    assert(pthread_mutex_destroy(&mutex) == 0);
    return 0;
}
