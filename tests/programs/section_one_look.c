// norn: verified
// classes: rvf=2 rf=2 obs=2 maz=2
// One look from outside comes before the section or after it. What is in between is never seen.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int value;

static void* work(void* unused) {
    __VERIFIER_atomic_begin();
    value = 1;
    value = 2;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    assert(value != 1);
    pthread_join(worker, 0);
    return 0;
}
