// irs-fig1: two threads increment what a pointer points to; the first checks its result. With SAME=0 (the
// default) the pointers differ: one class, and right. With SAME=1 they do not, and the assertion can fail;
// CHECK=0 leaves it out.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SAME
#define SAME 0
#endif

#ifndef CHECK
#define CHECK 1
#endif

static atomic_int first_variable, second_variable;

static void* increment_and_check(void* argument) {
    atomic_int* p = argument;
    int before = atomic_load(p);
    atomic_store(p, before + 1);
    int after = atomic_load(p);
    assert(!CHECK || after == before + 1);
    return NULL;
}

static void* increment(void* argument) {
    atomic_int* q = argument;
    int before = atomic_load(q);
    atomic_store(q, before + 1);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, increment_and_check, &first_variable);
    pthread_create(&threads[1], NULL, increment, SAME ? &first_variable : &second_variable);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    return 0;
}
