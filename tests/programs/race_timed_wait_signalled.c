// norn: verified
// options: --races=error
// A signal that ends a wait comes before what follows on it, also if the wait has a deadline.
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int data;

static void* wait_for_signal(void* unused) {
    const struct timespec deadline = {2000000000, 0};
    pthread_mutex_lock(&mutex);
    const int code = pthread_cond_timedwait(&changed, &mutex, &deadline);
    pthread_mutex_unlock(&mutex);
    if (code == 0) data++;
    return unused;
}

static void* signal_after_write(void* unused) {
    data = 1;
    pthread_cond_signal(&changed);
    return unused;
}

int main(void) {
    pthread_t waiter, signaller;
    pthread_create(&waiter, NULL, wait_for_signal, NULL);
    pthread_create(&signaller, NULL, signal_after_write, NULL);
    pthread_join(waiter, NULL);
    pthread_join(signaller, NULL);
    return 0;
}
