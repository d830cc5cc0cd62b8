// norn: failed assertion
// Two looks from outside have room for a whole section between them.
#include <assert.h>
#include <pthread.h>

static int first, second;

static void __VERIFIER_atomic_both(void) {
    first = 1;
    second = 1;
}

static void* work(void* unused) {
    __VERIFIER_atomic_both();
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    int seen = first;
    assert(seen == second);  // found here
    pthread_join(worker, 0);
    return 0;
}
