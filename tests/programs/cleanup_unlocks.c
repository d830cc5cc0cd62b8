// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// Two threads end while they hold the mutex, which a handler unlocks: one after the other, in either order.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void unlock(void* unused) {
    (void)unused;
    --inside;
    pthread_mutex_unlock(&mutex);
}

static void* work(void* unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, NULL);
    assert(++inside == 1);
    pthread_exit(unused);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    assert(inside == 0);
    return 0;
}
