// norn: verified
//
// The last one counts. Six sensors leave their reading in one place, and main looks at it when all are done.
// There are 720 orders of the six writes, but only the last write is ever read, and it is one of two values:
// see `norn compare`.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { sensors = 6 };

static atomic_int latest;

static void* report(void* argument) {
    int sensor = (int)(intptr_t)argument;
    atomic_store(&latest, sensor % 2 == 0 ? 20 : 21);
    return NULL;
}

int main(void) {
    pthread_t thread[sensors];
    for (int k = 0; k < sensors; ++k) pthread_create(&thread[k], NULL, report, (void*)(intptr_t)k);
    for (int k = 0; k < sensors; ++k) pthread_join(thread[k], NULL);
    int shown = atomic_load(&latest);
    assert(shown == 20 || shown == 21);
    return 0;
}
