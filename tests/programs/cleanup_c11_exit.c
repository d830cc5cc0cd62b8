// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// thrd_exit runs tss destructors, again as long as they set new values, at most TSS_DTOR_ITERATIONS times.
#include <assert.h>
#include <threads.h>

static tss_t key;
static int rounds;

static void set_again(void* value) {
    ++rounds;
    tss_set(key, value);
}

static int work(void* unused) {
    tss_set(key, unused);
    thrd_exit(5);
}

int main(void) {
    thrd_t thread;
    int result = 0;
    assert(tss_create(&key, set_again) == thrd_success);
    assert(thrd_create(&thread, work, &thread) == thrd_success);
    assert(thrd_join(thread, &result) == thrd_success && result == 5);
    assert(rounds == TSS_DTOR_ITERATIONS);
    return 0;
}
