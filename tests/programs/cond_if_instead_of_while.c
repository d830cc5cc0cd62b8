// norn: failed assertion
// Between the signal and the return of the wait another thread takes the item: the predicate must be looked
// at again.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void* consumer(void* unused) {
    pthread_mutex_lock(&mutex);
    if (items == 0) pthread_cond_wait(&filled, &mutex);
    --items;
    assert(items >= 0);  // found here
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, consumer, NULL);
    pthread_mutex_lock(&mutex);
    ++items;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&mutex);
    return 0;
}
