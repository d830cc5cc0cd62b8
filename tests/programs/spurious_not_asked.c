// norn: verified
// classes: maz=2 rf=2
// The same `if` as in spurious_if.c. Nobody asked for wake-ups without a reason, and the only signal comes
// when it is so.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void* make_ready(void* unused) {
    pthread_mutex_lock(&mutex);
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, make_ready, NULL);
    pthread_mutex_lock(&mutex);
    if (!ready) pthread_cond_wait(&changed, &mutex);
    assert(ready);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
