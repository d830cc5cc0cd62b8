// norn: failed mutex-misuse
// A thread waits with a mutex that it does not hold.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_cond_wait(&ready, &mutex);  // found here
    return 0;
}
