// Each thread may or may not take part. A truth value has two values, and both are tried: nothing is left open.
#include <pthread.h>

typedef _Bool bool;
extern void reach_error(void);
extern bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int expected, done;

void *take_part(void *unused) {
    if (__VERIFIER_nondet_bool()) {
        __VERIFIER_atomic_begin();
        ++expected;
        ++done;
        __VERIFIER_atomic_end();
    }
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, take_part, 0);
    pthread_create(&other, 0, take_part, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    if (expected != done || done > 2) reach_error();
    return 0;
}
