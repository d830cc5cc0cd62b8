// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Each thread is detached once: by itself, by the one that started it, or from the start.
#include <assert.h>
#include <pthread.h>

static void* alone(void* unused) {
    assert(pthread_detach(pthread_self()) == 0);
    return unused;
}

static void* nothing(void* unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_create(&thread, NULL, alone, NULL);
    pthread_create(&thread, NULL, nothing, NULL);
    assert(pthread_detach(thread) == 0);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, nothing, NULL);
    pthread_attr_destroy(&attributes);
    return 0;
}
