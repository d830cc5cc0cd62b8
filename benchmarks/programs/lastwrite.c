// lastwrite(N): N threads write one variable, main joins them and reads it. All N! orders of the writes are
// different Mazurkiewicz classes, but only who was last can be observed: N reads-from classes.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int v;

static void* write_v(void* argument) {
    atomic_store(&v, (int)(intptr_t)argument);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int k = 1; k <= N; ++k) pthread_create(&threads[k - 1], NULL, write_v, (void*)(intptr_t)k);
    for (int k = 1; k <= N; ++k) pthread_join(threads[k - 1], NULL);
    int last = atomic_load(&v);
    (void)last;
    return 0;
}
