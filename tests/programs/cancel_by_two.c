// norn: verified
// classes: maz=4 rf=4 obs=4 rvf=4
// Two requests: which comes first makes two classes (the second changes nothing and only reads), and for each
// of them the one test comes before the first request or after it.
#include <assert.h>
#include <pthread.h>

static pthread_t target;

static void* work(void* unused) {
    pthread_testcancel();
    return unused;
}

static void* request(void* unused) {
    assert(pthread_cancel(target) == 0);
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&target, NULL, work, NULL);
    pthread_create(&other, NULL, request, NULL);
    assert(pthread_cancel(target) == 0);
    pthread_join(other, NULL);
    pthread_join(target, NULL);
    return 0;
}
