// norn: verified
// Looks once a second. How often that is in vain is a class of its own for some rounds, until enough time has
// passed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int ready;
static int value;

static void* produce(void* unused) {
    value = 42;
    atomic_store(&ready, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    while (!atomic_load(&ready)) sleep(1);
    assert(value == 42);
    pthread_join(thread, NULL);
    return 0;
}
