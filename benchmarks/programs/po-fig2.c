// po-fig2: a thread waits, if its input is negative, for a signal that may already have been given: a
// deadlock. The input is -1 or 0, by choice: 4 classes, one of them the deadlock; or INPUT: 2 classes. Main
// does not join, but does not end the process either.
#include <norn.h>
#include <pthread.h>

#ifndef INPUT
#define INPUT ((int)norn_choose(2) - 1)
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void* wait_if_negative(void* unused) {
    (void)unused;
    int input = INPUT;
    pthread_mutex_lock(&mutex);
    if (input < 0) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void* signal_once(void* unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, wait_if_negative, NULL);
    pthread_create(&threads[1], NULL, signal_once, NULL);
    pthread_exit(NULL);
}
