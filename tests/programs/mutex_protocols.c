// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// Priority inheritance and ceilings and sharing between processes make no difference: two orders of two
// locks.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t inheriting, protecting;
static int counter;

static void* work(void* unused) {
    pthread_mutex_lock(&inheriting);
    ++counter;
    pthread_mutex_unlock(&inheriting);
    return unused;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t threads[2];
    int value = -1;
    pthread_mutexattr_init(&attributes);
    assert(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutex_init(&inheriting, &attributes) == 0);
    assert(pthread_mutex_getprioceiling(&inheriting, &value) == EINVAL);
    assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT) == 0);
    assert(pthread_mutexattr_setprioceiling(&attributes, 10) == 0);
    assert(pthread_mutex_init(&protecting, &attributes) == 0);
    assert(pthread_mutex_getprioceiling(&protecting, &value) == 0 && value == 10);
    assert(pthread_mutex_setprioceiling(&protecting, 20, &value) == 0 && value == 10);
    assert(pthread_mutex_getprioceiling(&protecting, &value) == 0 && value == 20);
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
