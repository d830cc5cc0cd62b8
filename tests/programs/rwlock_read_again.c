// norn: verified
// classes: maz=2 rf=2 obs=2
// A reader may lock again; only the second unlock lets a writer in. The writer comes before or after.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void* writer(void* unused) {
    pthread_rwlock_wrlock(&lock);
    ++value;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    int before = value;
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(value == before);
    assert(pthread_rwlock_unlock(&lock) == 0);
    pthread_join(thread, NULL);
    return 0;
}
