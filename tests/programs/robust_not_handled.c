// norn: failed assertion
// A program that takes EOWNERDEAD for success relies on what the dead owner has left half done.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int a, b;

static void* work(void* unused) {
    pthread_mutex_lock(&mutex);
    a = 1;
    pthread_exit(unused);
    b = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    assert(a == b);  // found here
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
