// norn: verified
// classes: maz=1 rf=1
// A deadline in the past does no harm to who need not wait; one that is none does.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
    struct timespec past = {1, 0}, wrong = {1, 1000000000};
    sem_t semaphore;
    sem_init(&semaphore, 0, 2);
    assert(sem_timedwait(&semaphore, &past) == 0);
    assert(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past) == 0);
    assert(sem_timedwait(&semaphore, &past) == -1 && errno == ETIMEDOUT);
    assert(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past) == -1 && errno == ETIMEDOUT);
    assert(sem_timedwait(&semaphore, &wrong) == -1 && errno == EINVAL);
    return 0;
}
