// norn: verified
// classes: maz=6 rf=3 rvf=3
// An atomic struct of 24 bytes: each access is one step, so that it is never seen half written. Main's load
// finds nothing or what one of two threads has stored; the three steps have six orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct Three {
    long values[3];
};

static _Atomic struct Three shared;

static void* work(void* value) {
    const long each = (long)value;
    const struct Three all = {{each, each, each}};
    atomic_store(&shared, all);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, (void*)(i + 1));
    const struct Three found = atomic_load(&shared);
    assert(found.values[0] == found.values[1] && found.values[1] == found.values[2]);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return 0;
}
