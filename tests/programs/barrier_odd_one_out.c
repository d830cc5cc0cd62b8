// norn: failed deadlock
// Three threads at a barrier for two: one of them waits for ever.
#include <pthread.h>

static pthread_barrier_t barrier;

static void* work(void* unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int k = 0; k < 3; ++k) pthread_create(&threads[k], NULL, work, NULL);
    for (int k = 0; k < 3; ++k) pthread_join(threads[k], NULL);
    return 0;
}
