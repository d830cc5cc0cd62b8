// norn: failed livelock
//
// The loop ends or not by which of two writes comes last, which nobody else looks at.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void* wait_for_one(void* unused) {
    while (flag != 1);
    return unused;
}

static void* set(void* unused) {
    flag = 1;
    return unused;
}

static void* clear(void* unused) {
    flag = 0;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, clear, 0);
    pthread_create(&threads[1], 0, set, 0);
    pthread_create(&threads[2], 0, wait_for_one, 0);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}
