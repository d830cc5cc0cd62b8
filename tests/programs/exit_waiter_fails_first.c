// norn: failed assertion
// Before the process is gone a thread may see what main has written, although it waits for ever afterwards.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int value;

static void* look(void* unused) {
    assert(atomic_load(&value) != 2);  // found here
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, look, NULL);
    atomic_store(&value, 1);
    atomic_store(&value, 2);
    return 0;
}
