// norn: failed killed
// SIGPIPE ends a process that does not expect it.
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* close_reading_end(void* unused) {
    close(ends[0]);
    return unused;
}

int main(void) {
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, NULL, close_reading_end, NULL);
    write(ends[1], "x", 1);
    pthread_join(thread, NULL);
    return 0;
}
