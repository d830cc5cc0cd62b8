// norn: failed assertion
// However long a thread sleeps, another one may be slower.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int done;

static void* work(void* unused) {
    atomic_store(&done, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    sleep(3600);
    assert(atomic_load(&done) == 1);  // found here
    pthread_join(thread, NULL);
    return 0;
}
