// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// The attributes of mutexes: what was set is what one gets, and an unknown kind is EINVAL.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_mutexattr_t attributes;
    int kind = -1, shared = -1, robust = -1;
    assert(pthread_mutexattr_init(&attributes) == 0);
    assert(pthread_mutexattr_gettype(&attributes, &kind) == 0 && kind == PTHREAD_MUTEX_DEFAULT);
    assert(pthread_mutexattr_getpshared(&attributes, &shared) == 0 && shared == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_mutexattr_getrobust(&attributes, &robust) == 0 && robust == PTHREAD_MUTEX_STALLED);
    assert(pthread_mutexattr_settype(&attributes, 1234) == EINVAL);
    assert(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK) == 0);
    assert(pthread_mutexattr_gettype(&attributes, &kind) == 0 && kind == PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutexattr_destroy(&attributes) == 0);
    return 0;
}
