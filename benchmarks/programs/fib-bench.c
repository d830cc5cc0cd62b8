// fib-bench(N): two threads add each other's variable to their own, N times; main looks at both while they
// run and asserts that they do not exceed the Fibonacci number F(2N + 2).
//
// Main's two reads race with everything and are part of the count. Main does not join.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int i = 1, j = 1;

static void* add_to_i(void* unused) {
    (void)unused;
    for (int round = 0; round < N; ++round) {
        int own = atomic_load(&i);
        int other = atomic_load(&j);
        atomic_store(&i, own + other);
    }
    return NULL;
}

static void* add_to_j(void* unused) {
    (void)unused;
    for (int round = 0; round < N; ++round) {
        int own = atomic_load(&j);
        int other = atomic_load(&i);
        atomic_store(&j, own + other);
    }
    return NULL;
}

static int fibonacci(int n) {
    int current = 0, next = 1;
    while (n-- > 0) {
        int sum = current + next;
        current = next;
        next = sum;
    }
    return current;
}

int main(void) {
    int bound = fibonacci(2 * N + 2);
    pthread_t first, second;
    pthread_create(&first, NULL, add_to_i, NULL);
    pthread_create(&second, NULL, add_to_j, NULL);
    int seen_i = atomic_load(&i);
    assert(seen_i <= bound);
    int seen_j = atomic_load(&j);
    assert(seen_j <= bound);
    return 0;
}
