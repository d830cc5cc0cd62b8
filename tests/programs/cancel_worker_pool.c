// norn: verified
// Workers take work until they are cancelled; what was given is done or still there, never lost.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { WORKERS = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t work;
static int done;

static void* run(void* unused) {
    for (;;) {
        sem_wait(&work);
        pthread_mutex_lock(&mutex);
        ++done;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t workers[WORKERS];
    int left = 0;
    sem_init(&work, 0, 0);
    for (int i = 0; i < WORKERS; ++i) pthread_create(&workers[i], NULL, run, NULL);
    sem_post(&work);
    for (int i = 0; i < WORKERS; ++i) pthread_cancel(workers[i]);
    for (int i = 0; i < WORKERS; ++i) pthread_join(workers[i], NULL);
    sem_getvalue(&work, &left);
    assert(done + left == 1);
    return 0;
}
