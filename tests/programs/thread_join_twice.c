// norn: failed thread-misuse
// After a join the handle of the thread means nothing any more.
#include <pthread.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    pthread_join(thread, NULL);  // found here
    return 0;
}
