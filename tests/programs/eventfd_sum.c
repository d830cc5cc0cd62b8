// norn: verified
// An eventfd adds up what is written, and a read takes it all.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter;

static void* add(void* amount) {
    assert(eventfd_write(counter, (uintptr_t)amount) == 0);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    uint64_t sum = 0, part = 0;
    counter = eventfd(0, 0);
    pthread_create(&first, NULL, add, (void*)1);
    pthread_create(&second, NULL, add, (void*)2);
    while (sum < 3) {
        assert(eventfd_read(counter, &part) == 0 && part >= 1 && part <= 3);
        sum += part;
    }
    assert(sum == 3);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
