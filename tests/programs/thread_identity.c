// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// pthread_self within a thread is the handle that its creator got, and no other one.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void* own_handle(void* main_handle) {
    assert(!pthread_equal(pthread_self(), *(pthread_t*)main_handle));
    return (void*)(uintptr_t)pthread_self();
}

int main(void) {
    pthread_t self = pthread_self(), threads[2];
    void* found[2];
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, own_handle, &self);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], &found[k]);
    for (int k = 0; k < 2; ++k) assert(pthread_equal(threads[k], (pthread_t)(uintptr_t)found[k]));
    assert(!pthread_equal(threads[0], threads[1]));
    return 0;
}
