// norn: cannot check pthread_mutex_timedlock
// Timed waits are not modelled.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    struct timespec deadline = {1, 0};
    pthread_mutex_timedlock(&mutex, &deadline);
    return 0;
}
