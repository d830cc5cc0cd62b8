// norn: failed assertion
// A pipe is ready only until another thread has read from it, and poll may find just that one ready.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int first[2];
static int second[2];

static void* write_both(void* unused) {
    write(first[1], "a", 1);
    write(second[1], "b", 1);
    return unused;
}

static void* write_and_read(void* unused) {
    char letter;
    write(first[1], "c", 1);
    read(second[0], &letter, 1);
    return unused;
}

int main(void) {
    pthread_t writer, reader;
    pipe(first);
    pipe(second);
    pthread_create(&writer, NULL, write_both, NULL);
    pthread_create(&reader, NULL, write_and_read, NULL);
    struct pollfd wanted[] = {{first[0], POLLIN, 0}, {second[0], POLLIN, 0}};
    poll(wanted, 2, -1);
    assert(wanted[0].revents != 0);  // found here
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
