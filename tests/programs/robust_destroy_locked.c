// norn: failed mutex-misuse
// A robust mutex is destroyed while somebody holds it.
#include <pthread.h>

static pthread_mutex_t mutex;

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex);  // found here
    return 0;
}
