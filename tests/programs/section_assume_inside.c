// norn: verified
// A failed assume inside of a section stops the execution there: nobody waits for ever.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static int taken, inside;

static void __VERIFIER_atomic_take(void) {
    __VERIFIER_assume(taken == 0);
    taken = 1;
}

static void* work(void* unused) {
    __VERIFIER_atomic_take();
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    taken = 0;
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
