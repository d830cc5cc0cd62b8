// norn: verified
// classes: maz=4 rf=4
// A flag taken at most once each by two threads: one is first and clears it before the other tries, or after.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int inside;

static void* work(void* unused) {
    if (!atomic_flag_test_and_set(&flag)) {
        assert(++inside == 1);
        --inside;
        atomic_flag_clear(&flag);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    assert(!atomic_flag_test_and_set(&flag));
    return 0;
}
