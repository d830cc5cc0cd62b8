// norn: verified
// classes: maz=2 rf=2 rvf=2 obs=2
// A pipe that does not wait: there is something or EAGAIN.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* produce(void* unused) {
    assert(write(ends[1], "x", 1) == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    char letter;
    assert(pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0);
    assert((fcntl(ends[0], F_GETFL) & O_NONBLOCK) != 0);
    pthread_create(&thread, NULL, produce, NULL);
    long size = read(ends[0], &letter, 1);
    assert(size == 1 || (size == -1 && errno == EAGAIN));
    pthread_join(thread, NULL);
    return 0;
}
