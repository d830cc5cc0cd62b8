// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// What write reads is seen: the thread stores before or after it.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static char shared = 'a';

static void* work(void* unused) {
    shared = 'b';
    return unused;
}

int main(void) {
    pthread_t thread;
    const int file = open("/dev/null", O_WRONLY);
    pthread_create(&thread, NULL, work, NULL);
    assert(write(file, &shared, 1) == 1);
    pthread_join(thread, NULL);
    assert(close(file) == 0);
    return 0;
}
