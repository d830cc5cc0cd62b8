// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// A destructor that keeps something again is called again, but no more than PTHREAD_DESTRUCTOR_ITERATIONS
// times.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static pthread_key_t endless, twice;
static int endless_calls, twice_calls;

static void endless_destructor(void* value) {
    ++endless_calls;
    pthread_setspecific(endless, value);
}

static void twice_destructor(void* value) {
    if (++twice_calls < 2) pthread_setspecific(twice, value);
}

static void* work(void* unused) {
    pthread_setspecific(endless, &endless_calls);
    pthread_setspecific(twice, &twice_calls);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&endless, endless_destructor);
    pthread_key_create(&twice, twice_destructor);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(endless_calls == PTHREAD_DESTRUCTOR_ITERATIONS);
    assert(twice_calls == 2);
    return 0;
}
