// norn: verified
// classes: maz=4 rf=4 obs=4 rvf=4
// System calls on files are cancellation points: the request is found by open, by write, by close, or by
// none.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int steps;

static void* work(void* result) {
    const int file = open("/dev/null", O_WRONLY);
    steps = 1;
    assert(write(file, "x", 1) == 1);
    steps = 2;
    close(file);
    steps = 3;
    return result;
}

int main(void) {
    pthread_t thread;
    void* result = NULL;
    pthread_create(&thread, NULL, work, &steps);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED ? steps < 3 : steps == 3);
    return 0;
}
