// norn: cannot check sem_timedwait
// Timed waits are not modelled.
#include <semaphore.h>
#include <time.h>

int main(void) {
    sem_t semaphore;
    struct timespec deadline = {1, 0};
    sem_init(&semaphore, 0, 0);
    sem_timedwait(&semaphore, &deadline);
    return 0;
}
