// norn: failed rwlock-misuse
// A thread unlocks a read-write lock that nobody holds.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);  // found here
    return 0;
}
