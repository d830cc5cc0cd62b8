// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// What the hardware can do at once, and what needs a lock (which nobody sees).
#include <assert.h>
#include <stdatomic.h>

struct Three {
    long values[3];
};

int main(void) {
    atomic_char c = 0;
    atomic_long l = 0;
    static _Atomic struct Three three;
    assert(atomic_is_lock_free(&c) && atomic_is_lock_free(&l) && !atomic_is_lock_free(&three));
    return 0;
}
