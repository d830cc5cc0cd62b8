// norn: failed mutex-misuse
// A spin lock is destroyed by a thread that holds it.
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_spin_destroy(&lock);  // found here
    return 0;
}
