// norn: cannot check mtx_timedlock
// Timed waits are not modelled.
#include <threads.h>
#include <time.h>

int main(void) {
    mtx_t mutex;
    struct timespec deadline = {1, 0};
    mtx_init(&mutex, mtx_timed);
    mtx_timedlock(&mutex, &deadline);
    return 0;
}
