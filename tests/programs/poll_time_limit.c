// norn: verified
// classes: maz=2 rf=2 rvf=2 obs=2
// A look with a limit of time may come too early.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* produce(void* unused) {
    write(ends[1], "x", 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, NULL, produce, NULL);
    struct pollfd wanted = {ends[0], POLLIN, 0};
    int ready = poll(&wanted, 1, 100);
    assert(ready == (wanted.revents != 0));
    pthread_join(thread, NULL);
    assert(poll(&wanted, 1, 0) == 1);
    return 0;
}
