// norn: verified
// classes: rvf=2 rf=2 obs=2 maz=2
// Two atomic sections, one by calls and one by name: they come in two orders, and never into each other.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int first, second;

static void __VERIFIER_atomic_count(void) {
    first = first + 1;
    assert(second == first - 1);
    second = first;
}

static void* by_name(void* unused) {
    __VERIFIER_atomic_count();
    return unused;
}

static void* by_calls(void* unused) {
    __VERIFIER_atomic_begin();
    first = first + 1;
    assert(second == first - 1);
    second = first;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, by_name, 0);
    pthread_create(&other, 0, by_calls, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(first == 2 && second == 2);
    return 0;
}
