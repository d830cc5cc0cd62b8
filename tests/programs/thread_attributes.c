// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// A thread created detached by its attributes is not joined.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    int state = -1;
    assert(pthread_attr_init(&attributes) == 0);
    assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&attributes, 77) == EINVAL);
    assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_create(&thread, &attributes, nothing, NULL) == 0);
    assert(pthread_attr_destroy(&attributes) == 0);
    return 0;
}
