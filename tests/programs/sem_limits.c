// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// The largest value: more is EINVAL for sem_init and EOVERFLOW for sem_post, which changes nothing.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

int main(void) {
    sem_t semaphore;
    int value = 0;
    errno = 0;
    assert(sem_init(&semaphore, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
    assert(sem_init(&semaphore, 0, SEM_VALUE_MAX) == 0);
    errno = 0;
    assert(sem_post(&semaphore) == -1 && errno == EOVERFLOW);
    assert(sem_getvalue(&semaphore, &value) == 0 && value == SEM_VALUE_MAX);
    assert(sem_wait(&semaphore) == 0);
    assert(sem_post(&semaphore) == 0);
    assert(sem_destroy(&semaphore) == 0);
    return 0;
}
