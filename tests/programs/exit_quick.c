// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// quick_exit runs its own handlers, in reverse order, and nothing else; _Exit runs nothing.
#include <assert.h>
#include <stdlib.h>

static int step;

static void never(void) { assert(0); }
static void first(void) { assert(++step == 1); }
static void second(void) {
    assert(++step == 2);
    _Exit(0);
}
__attribute__((destructor)) static void destructor(void) { never(); }

int main(void) {
    atexit(never);
    at_quick_exit(never);
    at_quick_exit(second);
    at_quick_exit(first);
    quick_exit(0);
}
