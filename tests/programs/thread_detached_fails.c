// norn: failed assertion
// A detached thread may run on after main has returned.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int over;

static void* late(void* unused) {
    assert(atomic_load(&over) == 0);  // found here
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, late, NULL);
    pthread_detach(thread);
    atomic_store(&over, 1);
    return 0;
}
