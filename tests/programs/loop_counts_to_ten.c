// norn: verified
// A loop that waits, counts its rounds to ten and starts again: its state repeats every ten rounds. The
// counter lies on the stack, in a static variable and on the heap.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int flag;
static int data;

static void* set(void* unused) {
    data = 1;
    atomic_store(&flag, 1);
    return unused;
}

static void wait_counting(int* rounds) {
    while (!atomic_load(&flag))
        if (++*rounds >= 10) *rounds = 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
#if defined ON_HEAP
    int* rounds = calloc(1, sizeof *rounds);
    wait_counting(rounds);
    free(rounds);
#elif defined STATIC
    static int rounds;
    wait_counting(&rounds);
#else
    int rounds = 0;
    wait_counting(&rounds);
#endif
    assert(data == 1);
    pthread_join(thread, NULL);
}
