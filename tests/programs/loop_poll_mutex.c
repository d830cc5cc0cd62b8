// norn: verified
// Looks under a mutex again and again, until the other thread was there.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void* produce(void* unused) {
    pthread_mutex_lock(&mutex);
    value = 42;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    for (bool ready = false; !ready;) {
        pthread_mutex_lock(&mutex);
        ready = value != 0;
        pthread_mutex_unlock(&mutex);
    }
    assert(value == 42);
    pthread_join(thread, NULL);
    return 0;
}
