// dc-fig3: two threads, each writes one variable and reads it. No parameter. 4 Mazurkiewicz, 3 reads-from
// classes. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x;

static void* run(void* argument) {
    atomic_store(&x, (int)(intptr_t)argument + 1);
    int seen = atomic_load(&x);
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int j = 0; j < 2; ++j) pthread_create(&threads[j], NULL, run, (void*)(intptr_t)j);
    return 0;
}
