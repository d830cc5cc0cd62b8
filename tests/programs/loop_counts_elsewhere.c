// norn: failed assertion
//
// A loop that gives up after some rounds, which are counted where only the system keeps them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void* wait_some_rounds(void* unused) {
    while (!flag && pthread_getconcurrency() < 50) pthread_setconcurrency(pthread_getconcurrency() + 1);
    assert(flag);  // found here
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait_some_rounds, 0);
    flag = 1;
    pthread_join(thread, 0);
}
