// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// A thread gives itself a name; main asks for it before or after that.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

static void* work(void* unused) {
    assert(pthread_setname_np(pthread_self(), "worker") == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    char before[16], after[16];
    assert(pthread_setname_np(pthread_self(), "a name of 16 byt") == ERANGE);
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_getname_np(thread, before, 3) == ERANGE);
    assert(pthread_getname_np(thread, before, sizeof before) == 0);
    pthread_join(thread, NULL);
    assert(pthread_getname_np(thread, after, sizeof after) == 0);
    assert(strcmp(after, "worker") == 0);
    return 0;
}
