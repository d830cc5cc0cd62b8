// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// When main returns the process ends: its destructors are not called.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void destructor(void* value) { assert(value == NULL); }

int main(void) {
    pthread_key_create(&key, destructor);
    assert(pthread_setspecific(key, &key) == 0);
    return 0;
}
