// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Handlers run in reverse order, one that is registered by a handler comes next, destructor functions come
// last.
#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdlib.h>

static int step;
static int argument;

static void expect(int wanted) { assert(++step == wanted); }
static void fourth(void) { expect(4); }
static void third(void) { expect(3); }
static void second(void) {
    expect(2);
    atexit(third);
}
static void first(int status, void* given) {
    expect(1);
    assert(status == 0 && given == &argument);
}
__attribute__((constructor)) static void before_main(void) { atexit(fourth); }
__attribute__((destructor)) static void last(void) { expect(5); }

int main(void) {
    assert(step == 0);
    atexit(second);
    on_exit(first, &argument);
    return 0;
}
