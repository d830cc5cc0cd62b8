// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// A wait with an error-checking mutex that the thread does not hold returns EPERM.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &attributes);
    assert(pthread_cond_wait(&changed, &mutex) == EPERM);
    return 0;
}
