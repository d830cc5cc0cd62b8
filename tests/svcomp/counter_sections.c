// Sections keep two counters equal; a look from outside in the right order never sees the second one ahead.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int first, second;

static void __VERIFIER_atomic_add(int amount) {
    first += amount;
    second += amount;
}

void *by_function(void *unused) {
    __VERIFIER_atomic_add(1);
    __VERIFIER_atomic_add(2);
    return 0;
}

void *by_calls(void *unused) {
    __VERIFIER_atomic_begin();
    first++;
    second++;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, by_function, 0);
    pthread_create(&other, 0, by_calls, 0);
    int seen_second = second;
    int seen_first = first;
    if (seen_second > seen_first) reach_error();
    __VERIFIER_atomic_begin();
    if (first != second) reach_error();
    __VERIFIER_atomic_end();
    pthread_join(one, 0);
    pthread_join(other, 0);
    if (first != 4 || second != 4) reach_error();
    return 0;
}
