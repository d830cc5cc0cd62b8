// norn: failed mutex-misuse
// Main destroys a mutex without waiting for the thread that uses it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* user(void* unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, user, NULL);
    pthread_mutex_destroy(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
