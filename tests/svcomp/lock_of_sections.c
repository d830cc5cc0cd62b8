// A lock built of sections: taking it is an assume and a store that nobody comes between.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

int lock, counter;

void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(lock == 0);
    lock = 1;
}
void __VERIFIER_atomic_release(void) {
    if (lock != 1) reach_error();
    lock = 0;
}

void *work(void *unused) {
    __VERIFIER_atomic_acquire();
    counter = counter + 1;
    counter = counter - 1;
    if (counter != 0) reach_error();
    __VERIFIER_atomic_release();
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
    return 0;
}
