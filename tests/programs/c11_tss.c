// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Thread-specific storage of C11: own values, destructors, thrd_error for a deleted key.
#include <assert.h>
#include <threads.h>

static tss_t key;
static int calls;

static void destructor(void* value) {
    assert(value == &key);
    ++calls;
}

static int work(void* unused) {
    (void)unused;
    assert(tss_get(key) == NULL);
    assert(tss_set(key, &key) == thrd_success);
    assert(tss_get(key) == &key);
    return 0;
}

int main(void) {
    thrd_t thread;
    assert(tss_create(&key, destructor) == thrd_success);
    thrd_create(&thread, work, NULL);
    thrd_join(thread, NULL);
    assert(calls == 1);
    assert(tss_get(key) == NULL);
    tss_delete(key);
    assert(tss_set(key, &key) == thrd_error);
    return 0;
}
