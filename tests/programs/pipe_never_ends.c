// norn: failed deadlock
// The writing end stays open, so that the reader waits for ever.
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* consume(void* unused) {
    char letter;
    while (read(ends[0], &letter, 1) == 1) continue;  // found here
    return unused;
}

int main(void) {
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, NULL, consume, NULL);
    write(ends[1], "x", 1);
    pthread_join(thread, NULL);
    return 0;
}
