// norn: verified
// Who joins main, which returns, never comes back: the process is gone.
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void* join(void* unused) {
    pthread_join(main_thread, NULL);
    assert(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    main_thread = pthread_self();
    pthread_create(&thread, NULL, join, NULL);
    return 0;
}
