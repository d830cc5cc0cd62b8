// norn: verified
//
// A counting semaphore made of C11 <threads.h>: a mutex, a condition variable and the number of free permits.
// Three users share two connections; at no time do more than two hold one.
#include <assert.h>
#include <threads.h>

enum { permits = 2, users = 3 };

static mtx_t mutex;
static cnd_t released;
static int available = permits;
static int connected;

static void acquire(void) {
    mtx_lock(&mutex);
    while (available == 0) cnd_wait(&released, &mutex);
    --available;
    ++connected;
    assert(connected <= permits);
    mtx_unlock(&mutex);
}

static void release(void) {
    mtx_lock(&mutex);
    --connected;
    ++available;
    cnd_signal(&released);
    mtx_unlock(&mutex);
}

static int use_connection(void* unused) {
    (void)unused;
    acquire();
    release();
    return 0;
}

int main(void) {
    mtx_init(&mutex, mtx_plain);
    cnd_init(&released);
    thrd_t threads[users];
    for (int k = 0; k < users; ++k) thrd_create(&threads[k], use_connection, NULL);
    for (int k = 0; k < users; ++k) thrd_join(threads[k], NULL);
    assert(available == permits);
    cnd_destroy(&released);
    mtx_destroy(&mutex);
    return 0;
}
