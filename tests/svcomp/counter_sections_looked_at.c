// A look from outside comes between two sections, not into the middle of one: it takes two looks to see a
// difference, and they are not in one section.
#include <pthread.h>

extern void reach_error(void);

int first, second;

void __VERIFIER_atomic_both() {
    first = first + 1;
    second = second + 1;
}

void *work(void *unused) {
    __VERIFIER_atomic_both();
    return 0;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    int seen_first = first;
    int seen_second = second;
    if (seen_first != seen_second) reach_error();
    pthread_join(worker, 0);
    return 0;
}
