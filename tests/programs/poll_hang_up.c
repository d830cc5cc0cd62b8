// norn: verified
// The end of a pipe wakes who waits for it, and there is room in a new one.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* hang_up(void* unused) {
    close(ends[1]);
    return unused;
}

int main(void) {
    pthread_t thread;
    pipe(ends);
    struct pollfd room = {ends[1], POLLOUT, 0};
    assert(poll(&room, 1, -1) == 1 && room.revents == POLLOUT);
    pthread_create(&thread, NULL, hang_up, NULL);
    struct pollfd wanted = {ends[0], POLLIN, 0};
    assert(poll(&wanted, 1, -1) == 1 && wanted.revents == POLLHUP);
    pthread_join(thread, NULL);
    assert(poll(&room, 1, -1) == 1 && room.revents == POLLNVAL);
    return 0;
}
