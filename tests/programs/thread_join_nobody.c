// norn: failed thread-misuse
// The thread was never started: its handle is whatever was in memory.
#include <pthread.h>

static pthread_t thread;

int main(void) {
    pthread_join(thread, NULL);  // found here
    return 0;
}
