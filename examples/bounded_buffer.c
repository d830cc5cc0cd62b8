// norn: verified
//
// A bounded buffer done right: one mutex, one condition variable for each thing that can be waited for, and
// every wait in a loop that looks again, because between a signal and the return from the wait another thread
// may have changed the buffer.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { capacity = 1, producers = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static int items[capacity];
static int count;

static void put(int item) {
    pthread_mutex_lock(&mutex);
    while (count == capacity) pthread_cond_wait(&not_full, &mutex);
    items[count++] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
}

static int take(void) {
    pthread_mutex_lock(&mutex);
    while (count == 0) pthread_cond_wait(&not_empty, &mutex);
    assert(count > 0 && count <= capacity);
    int item = items[--count];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
    return item;
}

static void* produce(void* argument) {
    put((int)(intptr_t)argument);
    return NULL;
}

static void* consume(void* unused) {
    (void)unused;
    int sum = 0;
    for (int taken = 0; taken < producers; ++taken) sum += take();
    assert(sum == 1 + 2);  // each item arrived exactly once
    return NULL;
}

int main(void) {
    pthread_t producer[producers], consumer;
    pthread_create(&consumer, NULL, consume, NULL);
    for (int k = 0; k < producers; ++k) pthread_create(&producer[k], NULL, produce, (void*)(intptr_t)(k + 1));
    for (int k = 0; k < producers; ++k) pthread_join(producer[k], NULL);
    pthread_join(consumer, NULL);
    assert(count == 0);
    return 0;
}
