// norn: verified
// classes: maz=2 rf=2 obs=2
// Condition variables of C11: the waiter comes before the signaller, and waits, or after it.
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t ready;
static int flag;

static int waiter(void* unused) {
    (void)unused;
    mtx_lock(&mutex);
    while (flag == 0) assert(cnd_wait(&ready, &mutex) == thrd_success);
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    assert(cnd_init(&ready) == thrd_success);
    thrd_create(&thread, waiter, NULL);
    mtx_lock(&mutex);
    flag = 1;
    assert(cnd_signal(&ready) == thrd_success);
    mtx_unlock(&mutex);
    thrd_join(thread, NULL);
    cnd_destroy(&ready);
    return 0;
}
