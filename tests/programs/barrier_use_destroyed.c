// norn: failed barrier-misuse
// A thread arrives at a barrier that was destroyed.
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void) {
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_wait(&barrier);  // found here
    return 0;
}
