// norn: failed rwlock-misuse
// A thread unlocks a read-write lock that another one holds for writing.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* other(void* unused) {
    pthread_rwlock_unlock(&lock);  // found here
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_wrlock(&lock);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    return 0;
}
