// norn: failed assertion
// A load and a store of 24 bytes are each one step, but not both together.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct Three {
    long values[3];
};

static _Atomic struct Three shared;

static void* work(void* unused) {
    struct Three value = atomic_load(&shared);
    ++value.values[2];
    atomic_store(&shared, value);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    const struct Three last = atomic_load(&shared);
    assert(last.values[2] == 2);  // found here
    return 0;
}
