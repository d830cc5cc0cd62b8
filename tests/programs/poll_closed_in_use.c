// norn: cannot check close
// Linux keeps an end open while somebody waits on it; norn says that it does not know.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void* consume(void* unused) {
    struct pollfd wanted = {ends[0], POLLIN, 0};
    poll(&wanted, 1, -1);
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGPIPE, SIG_IGN);
    pipe(ends);
    pthread_create(&thread, NULL, consume, NULL);
    close(ends[0]);
    write(ends[1], "x", 1);
    pthread_join(thread, NULL);
    return 0;
}
