// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// Atomic integers of 16 bytes. Two additions: in either order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

__extension__ typedef unsigned __int128 u128;

static _Atomic u128 shared;

static void* work(void* unused) {
    atomic_fetch_add(&shared, ((u128)1 << 64) + 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    u128 expected = 7;
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    assert(atomic_load(&shared) == ((u128)2 << 64) + 2);
    assert(!atomic_compare_exchange_strong(&shared, &expected, (u128)0));
    assert(expected == ((u128)2 << 64) + 2);
    assert(atomic_compare_exchange_strong(&shared, &expected, (u128)12));
    assert(atomic_fetch_and(&shared, (u128)10) == 12 && atomic_fetch_or(&shared, (u128)1) == 8);
    assert(atomic_fetch_xor(&shared, (u128)3) == 9 && atomic_fetch_sub(&shared, (u128)10) == 10);
    assert(atomic_exchange(&shared, (u128)5) == 0);
    atomic_store(&shared, (u128)6);
    assert(atomic_load(&shared) == 6);
    return 0;
}
