// norn: cannot check pthread_cond_timedwait
// Timed waits are not modelled.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec deadline = {1, 0};
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&ready, &mutex, &deadline);
    pthread_mutex_unlock(&mutex);
    return 0;
}
