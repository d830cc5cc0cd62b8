// norn: failed livelock
// Both are so polite that each waits until the other one does not want.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2];

static void* enter(void* argument) {
    int me = argument != NULL;
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[1 - me])) {  // found here
    }
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, enter, NULL);
    pthread_create(&second, NULL, enter, &wants);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
