// norn: failed deadlock
// A thread ends while it holds a mutex: who comes later waits for ever.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* forgetful(void* unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, forgetful, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex);  // found here
    return 0;
}
