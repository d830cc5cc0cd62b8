// norn: failed mutex-misuse
// A thread destroys a mutex that it has locked.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex);  // found here
    return 0;
}
