// norn: verified
// classes: maz=6 rf=3 rvf=2
// Two threads write the same value, a third one reads: 3! orders; it reads one of three writes, the initial
// one included; it finds one of two values.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void* writer(void* unused) {
    atomic_store(&value, 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, writer, NULL);
    int seen = atomic_load(&value);
    assert(seen == 0 || seen == 1);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    return 0;
}
