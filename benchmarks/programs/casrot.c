// casrot(N): thread k replaces k - 1 by k, if that is what it finds. A compare-exchange that fails only
// reads, so that two failing ones do not conflict: that is what the count tests. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void* rotate(void* argument) {
    int k = (int)(intptr_t)argument;
    int expected = k - 1;
    atomic_compare_exchange_strong(&x, &expected, k);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int k = 1; k <= N; ++k) pthread_create(&threads[k - 1], NULL, rotate, (void*)(intptr_t)k);
    return 0;
}
