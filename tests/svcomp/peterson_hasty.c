// Peterson's algorithm with the turn given away before the wish is announced: both can get in.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

int flag1, flag2, turn, inside;

void *thr1(void *unused) {
    turn = 1;
    flag1 = 1;
    int f2 = flag2;
    int t = turn;
    __VERIFIER_assume(f2 != 1 || t != 1);
    inside = 1;
    if (inside != 1) reach_error();
    flag1 = 0;
    return 0;
}

void *thr2(void *unused) {
    turn = 0;
    flag2 = 1;
    int f1 = flag1;
    int t = turn;
    __VERIFIER_assume(f1 != 1 || t != 0);
    inside = 2;
    if (inside != 2) reach_error();
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
