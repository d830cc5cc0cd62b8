// norn: failed mutex-misuse
// A mutex is no semaphore: a thread unlocks what another one has locked.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* other(void* unused) {
    pthread_mutex_unlock(&mutex);  // found here
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    return 0;
}
