// norn: verified
// classes: maz=4 rf=4
// mtx_timedlock: either thread may be the first, and the other one comes too early or later.
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static int counter;

static int increment(void* unused) {
    struct timespec deadline;
    (void)unused;
    timespec_get(&deadline, TIME_UTC);
    deadline.tv_sec += 1;
    int code = mtx_timedlock(&mutex, &deadline);
    assert(code == thrd_success || code == thrd_timedout);
    if (code == thrd_timedout) return 0;
    ++counter;
    mtx_unlock(&mutex);
    return 1;
}

int main(void) {
    thrd_t first, second;
    int one, two;
    mtx_init(&mutex, mtx_timed);
    thrd_create(&first, increment, NULL);
    thrd_create(&second, increment, NULL);
    thrd_join(first, &one);
    thrd_join(second, &two);
    assert(counter == one + two && counter >= 1);
    mtx_destroy(&mutex);
    return 0;
}
