// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// pthread_cleanup_pop runs the handler or not, as it is told; a handler that was popped is gone.
#include <assert.h>
#include <pthread.h>

static int calls[3];

static void count(void* call) { ++*(int*)call; }

static void* work(void* unused) {
    pthread_cleanup_push(count, &calls[0]);
    pthread_cleanup_pop(0);
    pthread_cleanup_push(count, &calls[1]);
    pthread_cleanup_pop(1);
    pthread_cleanup_push(count, &calls[2]);
    pthread_exit(unused);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(calls[0] == 0 && calls[1] == 1 && calls[2] == 1);
    return 0;
}
