// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// A handler that calls exit again: what is left of the handlers runs, as the C libraries do it.
#include <assert.h>
#include <stdlib.h>

static int step;

static void second(void) { assert(++step == 2); }
static void first(void) {
    assert(++step == 1);
    exit(0);
    assert(0);
}

int main(void) {
    atexit(second);
    atexit(first);
    return 0;
}
