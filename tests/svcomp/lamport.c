// Lamport's fast mutual exclusion for two threads; a thread that meets another one gives up.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

int x, y, b1, b2, inside;

void *thr1(void *unused) {
    b1 = 1;
    x = 1;
    __VERIFIER_assume(y == 0);
    y = 1;
    if (x != 1) {
        b1 = 0;
        __VERIFIER_assume(b2 == 0);
        __VERIFIER_assume(y == 1);
    }
    inside = 1;
    if (inside != 1) reach_error();
    y = 0;
    b1 = 0;
    return 0;
}

void *thr2(void *unused) {
    b2 = 1;
    x = 2;
    __VERIFIER_assume(y == 0);
    y = 2;
    if (x != 2) {
        b2 = 0;
        __VERIFIER_assume(b1 == 0);
        __VERIFIER_assume(y == 2);
    }
    inside = 2;
    if (inside != 2) reach_error();
    y = 0;
    b2 = 0;
    return 0;
}

int main() {
    pthread_t t1, t2;
    pthread_create(&t1, 0, thr1, 0);
    pthread_create(&t2, 0, thr2, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
