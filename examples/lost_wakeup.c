// norn: failed deadlock
//
// Lost wake-up. The consumer looks at `ready` before it takes the mutex. If the producer sets it and signals
// between that look and the wait, nobody is waiting yet: the signal is lost and the consumer sleeps for ever.
// The look belongs under the mutex, in a loop around the wait, and the store belongs under the mutex too.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t became_ready = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void* produce(void* unused) {
    (void)unused;
    atomic_store(&ready, 1);
    pthread_cond_signal(&became_ready);
    return NULL;
}

static void* consume(void* unused) {
    (void)unused;
    // Wrong: the answer may be out of date before the wait begins
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&became_ready, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_join(consumer, NULL);
    pthread_join(producer, NULL);
    return 0;
}
