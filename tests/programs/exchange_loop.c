// norn: verified
// A loop that takes what another thread puts: until then it changes nothing, although it writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int slot;

static void* put(void* unused) {
    atomic_store(&slot, 7);
    return unused;
}

static void* take(void* unused) {
    int taken;
    while ((taken = atomic_exchange(&slot, 0)) == 0) {
    }
    assert(taken == 7);
    return unused;
}

int main(void) {
    pthread_t putter, taker;
    pthread_create(&putter, NULL, put, NULL);
    pthread_create(&taker, NULL, take, NULL);
    pthread_join(putter, NULL);
    pthread_join(taker, NULL);
    return 0;
}
