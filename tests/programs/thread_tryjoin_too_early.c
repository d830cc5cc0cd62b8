// norn: failed assertion
// Not to look at what a join that does not wait has returned.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static int value;

static void* work(void* unused) {
    value = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_tryjoin_np(thread, NULL);
    assert(value == 1);  // found here
    return 0;
}
