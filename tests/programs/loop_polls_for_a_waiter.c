// norn: failed livelock
//
// One thread looks again and again under a mutex for what another one, which waits for ever, would do.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;
static int done;

static void* poll(void* unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        const int found = done;
        pthread_mutex_unlock(&mutex);
        if (found) return unused;
    }
}

static void* wait(void* unused) {
    pthread_mutex_lock(&mutex);
    done = 0;
    pthread_mutex_unlock(&mutex);
    sem_wait(&never);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&never, 0, 0);
    pthread_create(&threads[0], 0, poll, 0);
    pthread_create(&threads[1], 0, wait, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
