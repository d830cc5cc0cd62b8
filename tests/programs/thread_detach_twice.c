// norn: failed thread-misuse
// The thread may have ended between the two.
#include <pthread.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_detach(thread);
    pthread_detach(thread);  // found here
    return 0;
}
