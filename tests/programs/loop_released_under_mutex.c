// norn: failed assertion
//
// A thread that holds a mutex gives it up for a moment in each round: only then can the other one end the
// loop, and only after this one has begun.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int started, answered, ended;

static void* ask(void* unused) {
    pthread_mutex_lock(&mutex);
    started = 1;
    while (!answered) {
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
    }
    ended = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, ask, 0);
    for (int i = 0; i < 2; ++i) {
        pthread_mutex_lock(&mutex);
        if (started) answered = 1;
        assert(!ended);  // found here
        pthread_mutex_unlock(&mutex);
    }
    pthread_detach(thread);
}
