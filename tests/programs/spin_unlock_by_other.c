// norn: failed mutex-misuse
// A thread unlocks a spin lock that another one holds.
#include <pthread.h>

static pthread_spinlock_t lock;

static void* other(void* unused) {
    pthread_spin_unlock(&lock);  // found here
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    return 0;
}
