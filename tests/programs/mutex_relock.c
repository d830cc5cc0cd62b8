// norn: failed mutex-misuse
// A thread locks a mutex of the default kind that it holds already.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void inner(void) {
    pthread_mutex_lock(&mutex);  // found here
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    pthread_mutex_lock(&mutex);
    inner();
    pthread_mutex_unlock(&mutex);
    return 0;
}
