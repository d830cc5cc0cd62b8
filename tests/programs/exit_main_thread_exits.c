// norn: failed deadlock
// Main ends by pthread_exit: the process goes on until every thread has ended, which this one never does.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* lock(void* unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, lock, NULL);
    pthread_exit(NULL);
}
