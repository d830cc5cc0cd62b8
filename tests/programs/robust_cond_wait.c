// norn: verified
// A thread waits on a condition variable; who signals ends with the mutex. The wait returns EOWNERDEAD.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* work(void* unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    return unused;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, NULL, work, NULL);
    int code = pthread_mutex_lock(&mutex);
    while (!ready && code == 0) code = pthread_cond_wait(&changed, &mutex);
    assert(code == EOWNERDEAD && ready == 1);
    assert(pthread_mutex_consistent(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    pthread_join(thread, NULL);
    return 0;
}
