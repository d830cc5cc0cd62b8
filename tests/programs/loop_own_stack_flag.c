// norn: verified
// classes: rf=1 rvf=1 obs=1 maz=1
// Waits for a variable on its own stack, which another thread sets.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static void* set(void* flag) {
    atomic_store((atomic_int*)flag, 1);
    return NULL;
}

int main(void) {
    atomic_int flag = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, set, &flag);
    while (!atomic_load(&flag)) {
    }
    pthread_join(thread, NULL);
    assert(flag == 1);
}
