// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// The destructor of a deleted key is not called, and the key is unknown then: EINVAL.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_key_t key;
static int calls;

static void destructor(void* unused) {
    (void)unused;
    ++calls;
}

static void* work(void* unused) {
    assert(pthread_setspecific(key, &calls) == 0);
    assert(pthread_key_delete(key) == 0);
    assert(pthread_setspecific(key, &calls) == EINVAL);
    assert(pthread_key_delete(key) == EINVAL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destructor);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(calls == 0);
    return 0;
}
