// norn: verified
// A write without a reader fails with EPIPE, if SIGPIPE is ignored; the reader may close before or after it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void* close_reading_end(void* unused) {
    close(ends[0]);
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGPIPE, SIG_IGN);
    pipe(ends);
    pthread_create(&thread, NULL, close_reading_end, NULL);
    long written = write(ends[1], "x", 1);
    assert(written == 1 || (written == -1 && errno == EPIPE));
    pthread_join(thread, NULL);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
    return 0;
}
