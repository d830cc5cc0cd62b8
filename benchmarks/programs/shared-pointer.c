// shared-pointer(N): two threads set a shared pointer, each to a variable of its own, read the other variable
// N times, and add 3 to whatever the pointer then points to. 4N + 10 Mazurkiewicz, 4N + 7 reads-from classes.
// Main does not join.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 1
#endif

static atomic_int x = 3, y = 4;
static _Atomic(atomic_int*) p;

static void add_by_pointer(void) {
    atomic_int* target = atomic_load(&p);
    int value = atomic_load(target);
    atomic_store(target, value + 3);
}

static void* point_to_y(void* unused) {
    (void)unused;
    atomic_store(&p, &y);
    int sum = 0;
    for (int k = 0; k < N; ++k) sum += atomic_load(&x);
    (void)sum;
    add_by_pointer();
    return NULL;
}

static void* point_to_x(void* unused) {
    (void)unused;
    atomic_store(&p, &x);
    int sum = 0;
    for (int k = 0; k < N; ++k) sum += atomic_load(&y);
    (void)sum;
    add_by_pointer();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, point_to_y, NULL);
    pthread_create(&threads[1], NULL, point_to_x, NULL);
    return 0;
}
