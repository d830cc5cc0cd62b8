// norn: failed barrier-misuse
// A thread arrives at a barrier that was never initialised.
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void) {
    pthread_barrier_wait(&barrier);  // found here
    return 0;
}
