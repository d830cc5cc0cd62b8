// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// A program may have functions of its own by names of libc, also of those that norn models or refuses.
#include <assert.h>
#include <pthread.h>

int shared;

void signal(int value) { shared = value; }
int read(void) { return shared; }
int accept(int value) { return value + 1; }
int wait(void) { return accept(read()); }

static void* work(void* unused) {
    signal(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    const int found = wait();
    assert(found == 1 || found == 2);
    pthread_join(thread, NULL);
    return 0;
}
