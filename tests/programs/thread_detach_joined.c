// norn: failed thread-misuse
// There is nothing left to detach.
#include <pthread.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    pthread_detach(thread);  // found here
    return 0;
}
