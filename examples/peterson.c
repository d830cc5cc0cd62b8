// norn: verified
//
// Peterson's mutual exclusion for two threads, right under sequential consistency: both can only be past the
// waiting line if each saw `turn` in its own favour, and `turn` has one value.
//
// The waiting loop is one look and an assume: norn then considers the executions in which the thread got in.
// Those in which it would have had to wait longer are counted as blocked.
#include <assert.h>
#include <norn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { rounds = 2 };

static atomic_bool wants[2];
static atomic_int turn;
static int inside;   // plain on purpose: the lock protects it
static int entries;  // likewise

static void* compete(void* argument) {
    int me = (int)(intptr_t)argument;
    int other = 1 - me;
    for (int round = 0; round < rounds; ++round) {
        atomic_store(&wants[me], true);
        atomic_store(&turn, other);
        norn_assume(!atomic_load(&wants[other]) || atomic_load(&turn) == me);

        inside = inside + 1;
        assert(inside == 1);
        entries = entries + 1;
        inside = inside - 1;

        atomic_store(&wants[me], false);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, compete, (void*)(intptr_t)k);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    assert(entries == 2 * rounds);
    return 0;
}
