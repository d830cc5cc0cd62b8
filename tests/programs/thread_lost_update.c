// norn: failed assertion
// Two increments without a lock: one of them is lost.
#include <assert.h>
#include <pthread.h>

static int counter;

static void* increment(void* unused) {
    ++counter;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, increment, NULL);
    ++counter;
    pthread_join(thread, NULL);
    assert(counter == 2);  // found here
    return 0;
}
