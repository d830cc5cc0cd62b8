// norn: failed deadlock
// Nobody interrupts a section, not even to release the mutex that it waits for.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&mutex);  // found here
    pthread_mutex_unlock(&mutex);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(worker, 0);
    return 0;
}
