// norn: cannot check pthread_tryjoin_np
// Joins that do not wait are not modelled.
#define _GNU_SOURCE
#include <pthread.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_tryjoin_np(thread, NULL);
    return 0;
}
