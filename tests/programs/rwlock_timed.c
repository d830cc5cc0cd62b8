// norn: cannot check pthread_rwlock_timedrdlock
// Timed waits are not modelled.
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    struct timespec deadline = {1, 0};
    pthread_rwlock_timedrdlock(&lock, &deadline);
    return 0;
}
