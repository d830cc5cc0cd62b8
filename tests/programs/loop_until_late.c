// norn: failed assertion
//
// A thread that waits gives up after some seconds, which it asks for without keeping the answer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;

static void* wait_for_a_while(void* unused) {
    const time_t begin = time(0);
    while (!flag && time(0) - begin < 1000);
    assert(flag);  // found here
    return unused;
}

static void* set(void* unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, wait_for_a_while, 0);
    pthread_create(&threads[1], 0, set, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
