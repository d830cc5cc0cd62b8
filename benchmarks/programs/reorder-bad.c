// reorder-bad(N): N - 1 setters and one checker that expects both variables set or neither. It fails if it
// sees the first write of a setter and not the second, for every N >= 2. CHECKERS, 1 if not given, of the N
// threads check.
//
// With K = N - 1 setters there are 2K^3 + K^2 + 1 reads-from classes, and far more Mazurkiewicz ones.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef N
#define N 3
#endif

#ifndef CHECKERS
#define CHECKERS 1
#endif

static atomic_int a, b;

static void* set(void* unused) {
    (void)unused;
    atomic_store(&a, 1);
    atomic_store(&b, -1);
    return NULL;
}

// Every mention of a variable is a read of its own.
static bool consistent(void) {
    if (atomic_load(&a) == 0) {
        if (atomic_load(&b) == 0) return true;
    }
    if (atomic_load(&a) == 1) {
        if (atomic_load(&b) == -1) return true;
    }
    return false;
}

static void* check(void* unused) {
    (void)unused;
    bool passed = consistent();
    assert(passed);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int k = 0; k < N - CHECKERS; ++k) pthread_create(&threads[k], NULL, set, NULL);
    for (int k = N - CHECKERS; k < N; ++k) pthread_create(&threads[k], NULL, check, NULL);
    for (int k = 0; k < N; ++k) pthread_join(threads[k], NULL);
    return 0;
}
