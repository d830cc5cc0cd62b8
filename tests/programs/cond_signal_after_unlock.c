// norn: verified
// classes: maz=2 rf=2 obs=2
// The signal may come after the mutex was released: if the waiter's section is the first, it is woken then;
// if it is the second, it never waits.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int flag;

static void* waiter(void* unused) {
    pthread_mutex_lock(&mutex);
    while (flag == 0) pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&ready);
    pthread_join(thread, NULL);
    return 0;
}
