// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Main ends by pthread_exit; another thread joins it and goes on.
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;
static int value;

static void* successor(void* unused) {
    void* result = NULL;
    assert(pthread_join(main_thread, &result) == 0);
    assert(result == &value && value == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    main_thread = pthread_self();
    pthread_create(&thread, NULL, successor, NULL);
    value = 1;
    pthread_exit(&value);
}
