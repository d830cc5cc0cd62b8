// norn: failed assertion
//
// A bounded buffer with `if` around the wait where a loop is needed. The woken consumer must take the mutex
// again, and another consumer can come in before it and take the item. The woken one then finds the buffer
// empty.
#include <assert.h>
#include <pthread.h>

enum { capacity = 2, consumers = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items[capacity];
static int count;

static void put(int item) {  // never more than `capacity` items in this program: no need to wait for room
    pthread_mutex_lock(&mutex);
    items[count++] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
}

static int take(void) {
    pthread_mutex_lock(&mutex);
    // Wrong: must be `while`
    if (count == 0) pthread_cond_wait(&not_empty, &mutex);
    assert(count > 0);
    int item = items[--count];
    pthread_mutex_unlock(&mutex);
    return item;
}

static void* consume(void* unused) {
    (void)unused;
    take();
    return NULL;
}

int main(void) {
    pthread_t consumer[consumers];
    for (int k = 0; k < consumers; ++k) pthread_create(&consumer[k], NULL, consume, NULL);
    for (int k = 0; k < consumers; ++k) put(k);
    for (int k = 0; k < consumers; ++k) pthread_join(consumer[k], NULL);
    return 0;
}
