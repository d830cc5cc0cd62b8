// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// A destroyed read-write lock that is initialised again is free. One thread: one class.
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_rwlock_t lock;
    for (int k = 0; k < 2; ++k) {
        assert(pthread_rwlock_init(&lock, NULL) == 0);
        assert(pthread_rwlock_trywrlock(&lock) == 0);
        assert(pthread_rwlock_unlock(&lock) == 0);
        assert(pthread_rwlock_destroy(&lock) == 0);
    }
    return 0;
}
