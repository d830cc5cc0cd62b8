// As many rounds as an input says: right for every input, but inputs are too many to try them all.
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int rounds, sum;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *add(void *unused) {
    for (int i = 0; i < rounds; ++i) {
        pthread_mutex_lock(&mutex);
        ++sum;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t one, other;
    rounds = __VERIFIER_nondet_int();
    __VERIFIER_assume(rounds >= 0 && rounds <= 1000);
    pthread_create(&one, 0, add, 0);
    pthread_create(&other, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    if (sum != 2 * rounds) reach_error();
    return 0;
}
