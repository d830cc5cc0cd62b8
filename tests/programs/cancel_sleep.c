// norn: verified
// classes: maz=3 rf=3 obs=3 rvf=3
// Sleeping is a cancellation point: the request is found by the first sleep, the second, or by none.
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static int slept;

static void* work(void* result) {
    const struct timespec second = {1, 0};
    sleep(1);
    slept = 1;
    nanosleep(&second, NULL);
    slept = 2;
    return result;
}

int main(void) {
    pthread_t thread;
    void* result = NULL;
    pthread_create(&thread, NULL, work, &slept);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED ? slept < 2 : slept == 2);
    return 0;
}
