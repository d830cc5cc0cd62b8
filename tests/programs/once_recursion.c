// norn: failed deadlock
// The initialisation calls pthread_once for itself: it waits for its own end.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void) {
    pthread_once(&once, initialise);  // found here
}

int main(void) {
    pthread_once(&once, initialise);
    return 0;
}
