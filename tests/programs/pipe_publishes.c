// norn: verified
// What was written before a message is there after it: no data race.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int data;

static void* produce(void* unused) {
    data = 42;
    write(ends[1], "x", 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, NULL, produce, NULL);
    struct pollfd wanted = {ends[0], POLLIN, 0};
    assert(poll(&wanted, 1, -1) == 1 && wanted.revents == POLLIN);
    assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
