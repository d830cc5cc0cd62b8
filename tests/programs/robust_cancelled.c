// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// The owner is cancelled while it waits for a semaphore; the newest of its mutexes is given up first, both
// before it can be joined.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutexes[2];
static sem_t never;

static void* work(void* unused) {
    pthread_mutex_lock(&mutexes[0]);
    pthread_mutex_lock(&mutexes[1]);
    sem_wait(&never);
    return unused;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    for (int i = 0; i < 2; ++i) pthread_mutex_init(&mutexes[i], &attributes);
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    for (int i = 0; i < 2; ++i) assert(pthread_mutex_lock(&mutexes[i]) == EOWNERDEAD);
    return 0;
}
