// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Joins that make no sense: of oneself EDEADLK, of a thread that was joined or detached EINVAL; a thread is
// detached only once. (POSIX lets an implementation be less helpful.)
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
    pthread_t joined, detached;
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    pthread_create(&joined, NULL, nothing, NULL);
    assert(pthread_join(joined, NULL) == 0);
    assert(pthread_join(joined, NULL) == EINVAL);
    pthread_create(&detached, NULL, nothing, NULL);
    assert(pthread_detach(detached) == 0);
    assert(pthread_detach(detached) == EINVAL);
    assert(pthread_join(detached, NULL) == EINVAL);
    return 0;
}
