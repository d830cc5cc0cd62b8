// norn: verified
// A loop of looks without waiting is recognised as one that waits.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* produce(void* unused) {
    write(ends[1], "x", 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    char letter = 0;
    pipe2(ends, O_NONBLOCK);
    pthread_create(&thread, NULL, produce, NULL);
    while (read(ends[0], &letter, 1) != 1) continue;
    assert(letter == 'x');
    pthread_join(thread, NULL);
    return 0;
}
