// norn: verified
// classes: maz=3 rf=3 rvf=3 obs=3
// Of two descriptors the first, the second or both are ready.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>

static int counters[2];

static void* add(void* counter) {
    eventfd_write(*(int*)counter, 1);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    for (int i = 0; i < 2; ++i) counters[i] = eventfd(0, 0);
    pthread_create(&first, NULL, add, &counters[0]);
    pthread_create(&second, NULL, add, &counters[1]);
    struct pollfd wanted[] = {{counters[0], POLLIN, 0}, {-1, POLLIN, 0}, {counters[1], POLLIN, 0}};
    int ready = poll(wanted, 3, -1);
    assert(ready == (wanted[0].revents == POLLIN) + (wanted[2].revents == POLLIN) && ready > 0);
    assert(wanted[1].revents == 0);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
