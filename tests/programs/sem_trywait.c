// norn: verified
// classes: maz=2 rf=2 obs=2
// sem_trywait never waits: before the post it fails with EAGAIN, after it it succeeds.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void* poster(void* unused) {
    sem_post(&semaphore);
    return unused;
}

int main(void) {
    pthread_t thread;
    int value = -1;
    sem_init(&semaphore, 0, 1);
    assert(sem_trywait(&semaphore) == 0);
    errno = 0;
    assert(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    pthread_create(&thread, NULL, poster, NULL);
    errno = 0;
    int code = sem_trywait(&semaphore);
    assert(code == 0 ? errno == 0 : code == -1 && errno == EAGAIN);
    pthread_join(thread, NULL);
    sem_getvalue(&semaphore, &value);
    assert(value == (code == 0 ? 0 : 1));
    return 0;
}
