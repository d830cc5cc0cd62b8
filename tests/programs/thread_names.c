// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// A thread gives itself a name; main asks for it before or after that.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

static void* work(void* unused) {
    char name[16];
    assert(pthread_setname_np(pthread_self(), "worker") == 0);
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "worker") == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    char name[16];
    char own[16];
    assert(pthread_setname_np(pthread_self(), "a name of 16 byt") == ERANGE);
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_getname_np(thread, name, 3) == ERANGE);
    const int code = pthread_getname_np(thread, name, sizeof name);
    assert(pthread_getname_np(pthread_self(), own, sizeof own) == 0);
    assert(code != 0 || strcmp(name, "worker") == 0 || strcmp(name, own) == 0);
    pthread_join(thread, NULL);
    return 0;
}
