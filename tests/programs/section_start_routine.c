// norn: verified
// classes: rvf=6 rf=6 obs=6 maz=6
// A section that a thread begins in, that calls itself and others of its kind: it is over when the outermost
// is.
#include <assert.h>
#include <pthread.h>

static int depth;

static void __VERIFIER_atomic_nothing(void) {}

static void __VERIFIER_atomic_down(int levels) {
    depth = depth + 1;
    __VERIFIER_atomic_nothing();
    if (levels > 1) __VERIFIER_atomic_down(levels - 1);
    depth = depth - 1;
}

static void* __VERIFIER_atomic_thread(void* levels) {
    assert(depth == 0);
    __VERIFIER_atomic_down((int)(long)levels);
    assert(depth == 0);
    return levels;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, __VERIFIER_atomic_thread, (void*)(i + 1));
    for (long i = 0; i < 3; ++i) {
        void* levels;
        pthread_join(threads[i], &levels);
        assert(levels == (void*)(i + 1));
    }
    return 0;
}
