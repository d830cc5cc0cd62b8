// Szymanski's algorithm for two threads.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

int flag1, flag2, inside;

void *thr1(void *unused) {
    flag1 = 1;
    __VERIFIER_assume(flag2 < 3);
    flag1 = 3;
    if (flag2 == 1) {
        flag1 = 2;
        __VERIFIER_assume(flag2 == 4);
    }
    flag1 = 4;
    __VERIFIER_assume(flag2 < 2);
    inside = 1;
    if (inside != 1) reach_error();
    int f = flag2;
    __VERIFIER_assume(f < 2 || f > 3);
    flag1 = 0;
    return 0;
}

void *thr2(void *unused) {
    flag2 = 1;
    __VERIFIER_assume(flag1 < 3);
    flag2 = 3;
    if (flag1 == 1) {
        flag2 = 2;
        __VERIFIER_assume(flag1 == 4);
    }
    flag2 = 4;
    __VERIFIER_assume(flag1 < 2);
    inside = 2;
    if (inside != 2) reach_error();
    int f = flag1;
    __VERIFIER_assume(f < 2 || f > 3);
    flag2 = 0;
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
