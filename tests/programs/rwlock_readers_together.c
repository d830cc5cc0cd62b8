// norn: verified
// classes: maz=8 rf=8 obs=8
// Two readers hold the lock at the same time: they meet at a barrier within. They lock, arrive and unlock in
// either order each: 2 * 2 * 2.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t within;

static void* reader(void* unused) {
    assert(pthread_rwlock_rdlock(&lock) == 0);
    pthread_barrier_wait(&within);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&within, NULL, 2);
    pthread_create(&thread, NULL, reader, NULL);
    reader(NULL);
    pthread_join(thread, NULL);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    return 0;
}
