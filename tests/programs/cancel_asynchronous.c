// norn: cannot check pthread_setcanceltype
// Asynchronous cancellation may end a thread between any two instructions: not modelled.
#include <pthread.h>

static void* work(void* unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
