// norn: failed deadlock
// Two threads take two spin locks in opposite orders: both would spin for ever.
#include <pthread.h>

static pthread_spinlock_t first, second;

static void* backwards(void* unused) {
    pthread_spin_lock(&second);
    pthread_spin_lock(&first);
    pthread_spin_unlock(&first);
    pthread_spin_unlock(&second);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&first, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&second, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, backwards, NULL);
    pthread_spin_lock(&first);
    pthread_spin_lock(&second);
    pthread_spin_unlock(&second);
    pthread_spin_unlock(&first);
    pthread_join(thread, NULL);
    return 0;
}
