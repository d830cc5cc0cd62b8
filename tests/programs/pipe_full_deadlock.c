// norn: failed deadlock
// Nobody reads: the pipe is full at last.
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* produce(void* unused) {
    static char page[4096];
    for (int i = 0; i < 17; ++i) write(ends[1], page, sizeof page);  // found here
    return unused;
}

int main(void) {
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, NULL, produce, NULL);
    pthread_join(thread, NULL);
    return 0;
}
