// norn: failed use-after-return
// The mutex is a local variable, and the thread that has its address comes too late to lock it.
#include <pthread.h>

static void* late(void* mutex) {
    pthread_mutex_lock(mutex);  // found here
    pthread_mutex_unlock(mutex);
    return NULL;
}

static pthread_t start(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, late, &mutex);
    pthread_mutex_unlock(&mutex);
    return thread;
}

int main(void) {
    pthread_join(start(), NULL);
    return 0;
}
