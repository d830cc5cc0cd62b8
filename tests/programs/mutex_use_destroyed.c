// norn: failed mutex-misuse
// A destroyed mutex is locked.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_destroy(&mutex);
    pthread_mutex_lock(&mutex);  // found here
    pthread_mutex_unlock(&mutex);
    return 0;
}
