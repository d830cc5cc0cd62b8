// norn: verified
// Main returns while threads that nobody joins or detaches wait for a mutex, a semaphore, a condition and a
// flag.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static atomic_int flag;

static void* lock(void* unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}
static void* take(void* unused) {
    sem_wait(&semaphore);
    return unused;
}
static void* wait(void* unused) {
    pthread_mutex_lock(&other);
    pthread_cond_wait(&condition, &other);
    return unused;
}
static void* spin(void* unused) {
    while (!atomic_load(&flag)) {
    }
    return unused;
}

int main(void) {
    void* (*const work[])(void*) = {lock, take, wait, spin};
    pthread_t thread[4];
    sem_init(&semaphore, 0, 0);
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, work[i], NULL);
    return 0;
}
