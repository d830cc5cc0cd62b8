// norn: verified
// Two threads wait for one token. If the one that is cancelled does not take it, the signal goes to the
// other.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tokens;

static void unlock(void* unused) {
    (void)unused;
    pthread_mutex_unlock(&mutex);
}

static void* take(void* unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, NULL);
    while (tokens == 0) pthread_cond_wait(&changed, &mutex);
    --tokens;
    pthread_cleanup_pop(1);
    return unused;
}

static void give(void) {
    pthread_mutex_lock(&mutex);
    ++tokens;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    pthread_t cancelled, other;
    void* result = NULL;
    pthread_create(&cancelled, NULL, take, NULL);
    pthread_create(&other, NULL, take, NULL);
    give();
    pthread_cancel(cancelled);
    pthread_join(cancelled, &result);
    if (result != PTHREAD_CANCELED) give();
    pthread_join(other, NULL);
    assert(tokens == 0);
    return 0;
}
