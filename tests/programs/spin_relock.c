// norn: failed mutex-misuse
// A thread locks a spin lock that it holds: it would spin for ever.
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_spin_lock(&lock);  // found here
    return 0;
}
