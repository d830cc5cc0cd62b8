// norn: failed assertion
//
// A loop that writes while it waits: nothing new at first, but two rounds of it undo what the other thread
// does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state, ready;

static void* reset_until_ready(void* unused) {
    do {
        state = 0;
    } while (!ready);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reset_until_ready, 0);
    state = 1;
    const int first = state;
    state = 1;
    const int second = state;
    ready = 1;
    pthread_join(thread, 0);
    assert(first || second);  // found here
}
