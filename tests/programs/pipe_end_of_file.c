// norn: verified
// A reader gets what was written before the last writing end was closed, and then the end.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* produce(void* unused) {
    int again = dup(ends[1]);
    assert(close(ends[1]) == 0);
    assert(write(again, "x", 1) == 1);
    assert(close(again) == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    char letter = 0;
    pipe(ends);
    pthread_create(&thread, NULL, produce, NULL);
    assert(read(ends[0], &letter, 1) == 1 && letter == 'x');
    assert(read(ends[0], &letter, 1) == 0);
    pthread_join(thread, NULL);
    assert(close(ends[0]) == 0 && close(ends[0]) == -1);
    return 0;
}
