// norn: verified
// classes: maz=4 rf=4
// cnd_timedwait: as cond_timedwait.c has it.
#include <assert.h>
#include <stdbool.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t changed;
static bool ready;

static int make_ready(void* unused) {
    (void)unused;
    mtx_lock(&mutex);
    ready = true;
    cnd_signal(&changed);
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    struct timespec deadline, wrong = {1, 1000000000};
    thrd_t thread;
    int code = thrd_success;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    mtx_lock(&mutex);
    assert(cnd_timedwait(&changed, &mutex, &wrong) == thrd_error);
    mtx_unlock(&mutex);
    thrd_create(&thread, make_ready, NULL);
    timespec_get(&deadline, TIME_UTC);
    deadline.tv_sec += 1;
    mtx_lock(&mutex);
    while (!ready && code == thrd_success) code = cnd_timedwait(&changed, &mutex, &deadline);
    assert(ready || code == thrd_timedout);
    mtx_unlock(&mutex);
    thrd_join(thread, NULL);
    return 0;
}
