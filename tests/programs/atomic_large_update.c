// norn: verified
// Updates of 24 bytes by compare-exchange: none is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct Three {
    long values[3];
};

static _Atomic struct Three shared;

static void* work(void* unused) {
    struct Three expected = atomic_load(&shared);
    struct Three desired;
    do {
        desired = expected;
        for (int i = 0; i < 3; ++i) ++desired.values[i];
    } while (!atomic_compare_exchange_strong(&shared, &expected, desired));
    return unused;
}

int main(void) {
    pthread_t threads[2];
    struct Three last = {{0, 0, 0}};
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    last = atomic_exchange(&shared, last);
    for (int i = 0; i < 3; ++i) assert(last.values[i] == 2);
    return 0;
}
