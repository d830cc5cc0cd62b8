// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// A handler that calls pthread_exit itself: the outer handlers still run, and the last result counts.
#include <assert.h>
#include <pthread.h>

static int outer_ran;

static void exit_again(void* result) { pthread_exit(result); }
static void note(void* unused) {
    (void)unused;
    ++outer_ran;
}

static void* work(void* unused) {
    pthread_cleanup_push(note, NULL);
    pthread_cleanup_push(exit_again, &outer_ran);
    pthread_exit(unused);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void* result = NULL;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    assert(outer_ran == 1 && result == &outer_ran);
    return 0;
}
