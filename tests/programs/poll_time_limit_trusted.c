// norn: failed assertion
// A limit of time is not a promise that the others were fast enough.
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
    assert(poll(&wanted, 1, 60000) == 1);  // found here
    pthread_join(thread, NULL);
    return 0;
}
