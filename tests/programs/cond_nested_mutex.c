// norn: failed mutex-misuse
// A wait releases a recursive mutex once: if it is held twice, the others never get it.
#include <pthread.h>

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t mutex;
static int flag;

static void* set(void* unused) {
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, NULL, set, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    while (flag == 0) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
