// The same lock with nothing to keep its test and its store together.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

int lock, counter;

void acquire(void) {
    __VERIFIER_assume(lock == 0);
    lock = 1;
}
void __VERIFIER_atomic_release(void) { lock = 0; }

void *work(void *unused) {
    acquire();
    counter = counter + 1;
    if (counter != 1) reach_error();
    counter = counter - 1;
    __VERIFIER_atomic_release();
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
