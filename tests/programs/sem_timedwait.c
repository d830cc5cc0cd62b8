// norn: verified
// classes: maz=2 rf=2
// The post comes in time, or it does not and stays.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static sem_t semaphore;

static void* post(void* unused) {
    sem_post(&semaphore);
    return unused;
}

int main(void) {
    struct timespec deadline;
    pthread_t thread;
    int left;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, post, NULL);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec = 0;
    int code = sem_timedwait(&semaphore, &deadline);
    assert(code == 0 || (code == -1 && errno == ETIMEDOUT));
    pthread_join(thread, NULL);
    sem_getvalue(&semaphore, &left);
    assert(left == (code == 0 ? 0 : 1));
    return 0;
}
