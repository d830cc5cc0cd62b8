// norn: failed assertion
// What pthread_once is for: with a flag set at the beginning the other thread finds a result half made.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int begun, value;

static void* use(void* unused) {
    if (atomic_exchange(&begun, 1) == 0) atomic_store(&value, 42);
    assert(atomic_load(&value) == 42);  // found here
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    return 0;
}
