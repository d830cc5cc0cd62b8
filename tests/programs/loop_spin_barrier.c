// norn: verified
// A barrier made of a counter: whoever is there waits for the others. Two rounds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int arrived;
static int value[2];

static void meet(int round) {
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < 2 * round) {
    }
}

static void* work(void* argument) {
    int me = argument != NULL;
    value[me] = 1;
    meet(1);
    assert(value[1 - me] == 1);
    meet(2);
    value[me] = 2;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, &value);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(value[0] == 2 && value[1] == 2);
    return 0;
}
