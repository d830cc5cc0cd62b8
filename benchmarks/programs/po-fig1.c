// po-fig1: one thread passes an input on, another branches on its sign. The input is -1 or 0, by choice: 6
// classes, where an input that stays symbolic has 5; or INPUT: 3 classes. Main does not join.
#include <norn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#ifndef INPUT
#define INPUT ((int)norn_choose(2) - 1)
#endif

static atomic_int a, c;

static void* pass_on(void* unused) {
    (void)unused;
    int input = INPUT;
    atomic_store(&a, input);
    atomic_store(&c, 3);
    return NULL;
}

static void* branch(void* unused) {
    (void)unused;
    int b = atomic_load(&c);
    (void)b;
    puts(atomic_load(&a) < 0 ? "n" : "y");
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, pass_on, NULL);
    pthread_create(&threads[1], NULL, branch, NULL);
    return 0;
}
