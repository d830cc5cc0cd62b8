// norn: cannot check pthread_cancel
// Cancellation is not modelled.
#include <pthread.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
