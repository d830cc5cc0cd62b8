// norn: verified
// Looks until it is so or the time is over. Both happen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready;

static void* produce(void* unused) {
    atomic_store(&ready, 1);
    return unused;
}

int main(void) {
    const time_t deadline = time(NULL) + 60;
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    while (!atomic_load(&ready) && time(NULL) < deadline) usleep(1000);
    assert(atomic_load(&ready) || time(NULL) >= deadline);
    pthread_join(thread, NULL);
    return 0;
}
