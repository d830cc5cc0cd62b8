// norn: verified
// classes: maz=15 rf=15
// A reader that tries again if a writer came in between. Wholly before the writer: 1. Beginning before it,
// with halves old or new in all 4 ways: it then finds 2 and tries again, or finds 1, of which it is rid at
// its next look or at the one after: 12. Beginning while it writes, or after it: 2.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sequence, first_half, second_half;

static void* writer(void* unused) {
    atomic_fetch_add(&sequence, 1);
    atomic_store(&first_half, 1);
    atomic_store(&second_half, 1);
    atomic_fetch_add(&sequence, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    int before, one, two;
    pthread_create(&thread, NULL, writer, NULL);
    do {
        while ((before = atomic_load(&sequence)) % 2 != 0) {
        }
        one = atomic_load(&first_half);
        two = atomic_load(&second_half);
    } while (atomic_load(&sequence) != before);
    assert(one == two);
    pthread_join(thread, NULL);
    return 0;
}
