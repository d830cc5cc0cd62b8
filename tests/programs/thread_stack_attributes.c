// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Attributes of threads that exist: their stack, where their variables are, and whether they are detached.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void* work(void* unused) {
    pthread_attr_t attributes;
    void* stack = NULL;
    size_t size = 0;
    int state = -1;
    assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
    assert(pthread_attr_getstack(&attributes, &stack, &size) == 0);
    assert((char*)&attributes >= (char*)stack && (char*)&attributes < (char*)stack + size);
    assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_destroy(&attributes) == 0);
    return unused;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    size_t size = 0;
    assert(pthread_attr_init(&attributes) == 0);
    assert(pthread_attr_setstacksize(&attributes, 1 << 20) == 0);
    assert(pthread_attr_getstacksize(&attributes, &size) == 0 && size == 1 << 20);
    assert(pthread_attr_setguardsize(&attributes, 4096) == 0);
    assert(pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM) == 0);
    assert(pthread_create(&thread, &attributes, work, NULL) == 0);
    assert(pthread_join(thread, NULL) == 0 && pthread_attr_destroy(&attributes) == 0);
    return 0;
}
