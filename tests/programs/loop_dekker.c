// norn: verified
// Dekker's lock, a loop inside a loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2];
static atomic_int turn;
static int counter;

static void* increment(void* argument) {
    int me = argument != NULL, other = 1 - me;
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) == me) continue;
        atomic_store(&wants[me], 0);
        while (atomic_load(&turn) != me) {
        }
        atomic_store(&wants[me], 1);
    }
    ++counter;
    atomic_store(&turn, other);
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, &counter);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2);
    return 0;
}
