// norn: failed thread-misuse
// A handler must not call pthread_exit itself: the thread ends already.
#include <pthread.h>

static void exit_again(void* result) {
    pthread_exit(result);  // found here
}

static void* work(void* unused) {
    pthread_cleanup_push(exit_again, NULL);
    pthread_exit(unused);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
