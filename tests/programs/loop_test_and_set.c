// norn: verified
// classes: maz=2 rf=2
// A lock by test and set: either thread may be the first. To set what is set changes nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int counter;

static void* increment(void* unused) {
    while (atomic_flag_test_and_set(&taken)) {
    }
    ++counter;
    atomic_flag_clear(&taken);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2);
    return 0;
}
