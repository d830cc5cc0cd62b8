// norn: verified
// classes: maz=2 rf=2 obs=2
// A reader sees all of what a writer does or nothing: the two sections come in either order.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left = 1, right = 1;

static void* writer(void* unused) {
    assert(pthread_rwlock_wrlock(&lock) == 0);
    ++left;
    ++right;
    assert(pthread_rwlock_unlock(&lock) == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(left == right);
    assert(pthread_rwlock_unlock(&lock) == 0);
    pthread_join(thread, NULL);
    assert(pthread_rwlock_destroy(&lock) == 0);
    return 0;
}
