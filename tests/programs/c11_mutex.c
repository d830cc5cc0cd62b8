// norn: verified
// classes: maz=3 rf=3 obs=3
// Mutexes of C11: a recursive one is taken again, of others thrd_busy. Before, within or after the other's
// section: three classes.
#include <assert.h>
#include <threads.h>

static mtx_t mutex;

static int holder(void* unused) {
    (void)unused;
    assert(mtx_lock(&mutex) == thrd_success);
    assert(mtx_trylock(&mutex) == thrd_success);
    assert(mtx_unlock(&mutex) == thrd_success);
    assert(mtx_unlock(&mutex) == thrd_success);
    return 0;
}

int main(void) {
    thrd_t thread;
    assert(mtx_init(&mutex, mtx_plain | mtx_recursive) == thrd_success);
    thrd_create(&thread, holder, NULL);
    int code = mtx_trylock(&mutex);
    assert(code == thrd_success || code == thrd_busy);
    if (code == thrd_success) mtx_unlock(&mutex);
    thrd_join(thread, NULL);
    mtx_destroy(&mutex);
    return 0;
}
