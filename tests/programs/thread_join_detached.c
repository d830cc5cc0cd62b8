// norn: failed thread-misuse
// A detached thread may be gone, and with it what its handle stands for.
#include <pthread.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_detach(thread);
    pthread_join(thread, NULL);  // found here
    return 0;
}
