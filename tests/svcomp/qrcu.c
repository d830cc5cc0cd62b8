// Readers announce themselves in one of two counters; who updates waits until the counter in use is free of them.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

int idx, ctr1 = 1, ctr2, readerprogress1;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void __VERIFIER_atomic_use1(int myidx) {
    __VERIFIER_assume(myidx <= 0 && ctr1 > 0);
    ctr1++;
}
void __VERIFIER_atomic_use2(int myidx) {
    __VERIFIER_assume(myidx >= 1 && ctr2 > 0);
    ctr2++;
}
void __VERIFIER_atomic_use_done(int myidx) {
    if (myidx <= 0)
        ctr1--;
    else
        ctr2--;
}
void __VERIFIER_atomic_flip(void) {
    if (idx <= 0) {
        ctr2++;
        idx = 1;
        ctr1--;
    } else {
        ctr1++;
        idx = 0;
        ctr2--;
    }
}

void *reader(void *unused) {
    int myidx = idx;
    if (myidx <= 0)
        __VERIFIER_atomic_use1(myidx);
    else
        __VERIFIER_atomic_use2(myidx);
    readerprogress1 = 1;
    readerprogress1 = 2;
    __VERIFIER_atomic_use_done(myidx);
    return 0;
}

void *updater(void *unused) {
    int seen = readerprogress1;
    pthread_mutex_lock(&mutex);
    __VERIFIER_atomic_flip();
    __VERIFIER_assume((idx <= 0 ? ctr2 : ctr1) <= 0);
    pthread_mutex_unlock(&mutex);
    if (seen == 1 && readerprogress1 == 1) reach_error();
    return 0;
}

int main() {
    pthread_t t1, t2;
    pthread_create(&t1, 0, reader, 0);
    pthread_create(&t2, 0, updater, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
