// norn: failed deadlock
// Two initialisations need each other and are begun by two threads.
#include <pthread.h>

static pthread_once_t left = PTHREAD_ONCE_INIT, right = PTHREAD_ONCE_INIT;
static int depth;

static void nothing(void) { ++depth; }
static void left_first(void) { pthread_once(&right, nothing); }
static void right_first(void) { pthread_once(&left, nothing); }

static void* other(void* unused) {
    pthread_once(&right, right_first);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_once(&left, left_first);
    pthread_join(thread, NULL);
    return 0;
}
