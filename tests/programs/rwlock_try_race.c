// norn: verified
// classes: maz=3 rf=3 obs=3
// A reader that only tries gets the lock before the writer's section or after it, EBUSY within: three
// classes.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void* writer(void* unused) {
    pthread_rwlock_wrlock(&lock);
    value = 1;
    value = 2;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    int code = pthread_rwlock_tryrdlock(&lock);
    assert(code == 0 || code == EBUSY);
    if (code == 0) {
        assert(value != 1);
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(thread, NULL);
    return 0;
}
