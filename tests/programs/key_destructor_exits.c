// norn: failed thread-misuse
// A destructor of thread-specific data must not call pthread_exit: the thread has ended but for that.
#include <pthread.h>

static pthread_key_t key;

static void exit_again(void* value) {
    pthread_exit(value);  // found here
}

static void* work(void* unused) {
    pthread_setspecific(key, &key);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, exit_again);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
