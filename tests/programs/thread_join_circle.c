// norn: failed deadlock
// Three threads join each other in a circle, and main, which does not wait, has not ended the process.
#include <pthread.h>

static pthread_barrier_t created;
static pthread_t threads[3];

static void* join(void* next) {
    pthread_barrier_wait(&created);
    pthread_join(*(pthread_t*)next, NULL);  // found here
    return NULL;
}

int main(void) {
    pthread_barrier_init(&created, NULL, 4);
    for (int k = 0; k < 3; ++k) pthread_create(&threads[k], NULL, join, &threads[(k + 1) % 3]);
    pthread_barrier_wait(&created);
    pthread_exit(NULL);
}
