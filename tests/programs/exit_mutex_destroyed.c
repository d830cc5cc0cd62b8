// norn: failed mutex-misuse
// A destructor function destroys the mutex that a detached thread still uses.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
    pthread_detach(pthread_self());
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}
__attribute__((destructor)) static void clean_up(void) { pthread_mutex_destroy(&mutex); }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}
