// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// C11 threads: results are ints, negative ones too, by return or thrd_exit; one is detached.
#include <assert.h>
#include <threads.h>

static int returns(void* unused) {
    (void)unused;
    return -7;
}

static int exits(void* unused) {
    (void)unused;
    thrd_exit(42);
}

int main(void) {
    thrd_t threads[3];
    int result = 0;
    assert(thrd_create(&threads[0], returns, NULL) == thrd_success);
    assert(thrd_create(&threads[1], exits, NULL) == thrd_success);
    assert(thrd_create(&threads[2], returns, NULL) == thrd_success);
    assert(!thrd_equal(threads[0], threads[1]) && !thrd_equal(threads[0], thrd_current()));
    assert(thrd_join(threads[0], &result) == thrd_success && result == -7);
    assert(thrd_join(threads[1], &result) == thrd_success && result == 42);
    assert(thrd_detach(threads[2]) == thrd_success);
    return 0;
}
