// reorder_5(N): reorder-good with plain variables and N setters beside the checker. The name keeps the 5
// threads of the original. 2N^3 + N^2 + 1 reads-from classes, but only four reads-value-from ones: what the
// checker can see. CHECKERS, 1 if not given, are that many checkers.
//
// Plain variables on purpose: the racing accesses are the point.
#include <pthread.h>
#include <stdbool.h>

#ifndef N
#define N 2
#endif

#ifndef CHECKERS
#define CHECKERS 1
#endif

static int a, b;

static void* set(void* unused) {
    (void)unused;
    a = 1;
    b = -1;
    return NULL;
}

// Every mention of a variable is a read of its own.
static bool consistent(void) {
    if (a == 0) {
        if (b == 0) return true;
    }
    if (a == 1) {
        if (b == -1) return true;
    }
    return false;
}

static void* check(void* unused) {
    (void)unused;
    bool passed = consistent();  // can be false; the executions are counted, not judged
    (void)passed;
    return NULL;
}

int main(void) {
    pthread_t threads[N + CHECKERS];
    for (int k = 0; k < N; ++k) pthread_create(&threads[k], NULL, set, NULL);
    for (int k = 0; k < CHECKERS; ++k) pthread_create(&threads[N + k], NULL, check, NULL);
    for (int k = 0; k < N + CHECKERS; ++k) pthread_join(threads[k], NULL);
    return 0;
}
