// norn: verified
// classes: maz=3 rf=3 obs=3
// The value of a semaphore is read before, between or after two posts.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void* poster(void* unused) {
    sem_post(&semaphore);
    sem_post(&semaphore);
    return unused;
}

int main(void) {
    pthread_t thread;
    int value = -1;
    sem_init(&semaphore, 0, 3);
    pthread_create(&thread, NULL, poster, NULL);
    assert(sem_getvalue(&semaphore, &value) == 0);
    assert(value >= 3 && value <= 5);
    pthread_join(thread, NULL);
    assert(sem_getvalue(&semaphore, &value) == 0 && value == 5);
    return 0;
}
