// norn: verified
// classes: maz=3 rf=3 obs=3
// trylock succeeds before the other's section or after it, and says EBUSY within it: three classes.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void* holder(void* unused) {
    pthread_mutex_lock(&mutex);
    value = 1;
    value = 2;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, holder, NULL);
    int code = pthread_mutex_trylock(&mutex);
    assert(code == 0 || code == EBUSY);
    if (code == 0) {
        assert(value != 1);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    return 0;
}
