// norn: failed assertion
// A join with a timeout promises nothing: the thread may still be at work.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static int sum;

static void* add(void* unused) {
    for (int i = 1; i <= 3; ++i) sum += i;
    return unused;
}

int main(void) {
    struct timespec deadline;
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += 60;
    pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &deadline);
    assert(sum == 6);  // found here
    return 0;
}
