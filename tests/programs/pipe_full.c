// norn: verified
// A writer waits for room; what is larger than the pipe comes in parts.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

enum { size = 65536 + 10 };

static int ends[2];
static char given[size];

static void* produce(void* unused) {
    assert(write(ends[1], given, size) == size);
    return unused;
}

int main(void) {
    static char taken[size];
    pthread_t thread;
    int done = 0;
    pipe(ends);
    given[size - 1] = 7;
    pthread_create(&thread, NULL, produce, NULL);
    while (done < size) done += (int)read(ends[0], taken + done, size - done);
    assert(taken[size - 1] == 7);
    pthread_join(thread, NULL);
    return 0;
}
