// norn: failed assertion
// Peterson's lock with its first two steps exchanged does not exclude.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2];
static atomic_int turn;
static int counter;

static void* increment(void* argument) {
    int me = argument != NULL, other = 1 - me;
    atomic_store(&turn, other);
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
    }
    ++counter;
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, &counter);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2);  // found here
    return 0;
}
