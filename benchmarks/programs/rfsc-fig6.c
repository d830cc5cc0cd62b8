// rfsc-fig6(N): two threads announce themselves; one that does not see the other exchanges N variables. They
// cannot both miss each other, so there are three classes for every N; a checker that forgets this sees C(2N,
// N) more. Main does not join.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x, y;
static atomic_int cells[N];

static void exchange_all(void) {
    int sum = 0;
    for (int i = 0; i < N; ++i) sum += atomic_exchange(&cells[i], 0);
    (void)sum;
}

static void* t1(void* unused) {
    (void)unused;
    atomic_store(&x, 1);
    if (atomic_load(&y) != 1) exchange_all();
    return NULL;
}

static void* t2(void* unused) {
    (void)unused;
    atomic_store(&y, 1);
    if (atomic_load(&x) != 1) exchange_all();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, t1, NULL);
    pthread_create(&threads[1], NULL, t2, NULL);
    return 0;
}
