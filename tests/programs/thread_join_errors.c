// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// To join oneself is noticed: EDEADLK. (POSIX lets an implementation be less helpful.)
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void* itself(void* unused) {
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    return unused;
}

int main(void) {
    pthread_t joined;
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    pthread_create(&joined, NULL, itself, NULL);
    assert(pthread_join(joined, NULL) == 0);
    return 0;
}
