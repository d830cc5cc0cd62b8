// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// An initialisation may call another one, and a call when all is done does nothing. One thread: one class.
#include <assert.h>
#include <pthread.h>

static pthread_once_t outer_once = PTHREAD_ONCE_INIT, inner_once = PTHREAD_ONCE_INIT;
static int outer_calls, inner_calls;

static void inner(void) { ++inner_calls; }
static void outer(void) {
    assert(pthread_once(&inner_once, inner) == 0);
    ++outer_calls;
}

int main(void) {
    for (int k = 0; k < 3; ++k) {
        assert(pthread_once(&outer_once, outer) == 0);
        assert(pthread_once(&inner_once, inner) == 0);
    }
    assert(outer_calls == 1 && inner_calls == 1);
    return 0;
}
