// norn: verified
// classes: maz=6 rf=6 obs=6
// call_once of C11, as once_exactly.c: either thread does it, the other looks before, within or after.
#include <assert.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int initialised;

static void initialise(void) { ++initialised; }

static int use(void* unused) {
    (void)unused;
    call_once(&once, initialise);
    assert(initialised == 1);
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, use, NULL);
    use(NULL);
    thrd_join(thread, NULL);
    return 0;
}
