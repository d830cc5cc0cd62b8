// norn: failed global-overflow
// An empty stack is popped: its index wraps to the element before the first.
#include <pthread.h>
#include <stdatomic.h>

int values[4] = {10, 20, 30, 40};
atomic_int top = 1;

static void* pop(void* unused) {
    const int place = atomic_fetch_sub(&top, 1) - 1;
    values[place] = 0;  // found here
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, pop, NULL);
    pop(NULL);
    pthread_join(thread, NULL);
    return 0;
}
