// norn: verified
// classes: maz=1 rf=1
// Sleeping is over at once, but clocks show that time has passed: to who slept, and to who joined it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static void* sleep_long(void* unused) {
    struct timespec day = {86400, 0}, wrong = {0, 1000000000};
    assert(nanosleep(&day, NULL) == 0);
    assert(nanosleep(&wrong, NULL) == -1 && errno == EINVAL);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL) == EINVAL);
    assert(thrd_sleep(&wrong, NULL) < 0);
    return unused;
}

int main(void) {
    const time_t before = time(NULL);
    struct timespec until, now;
    pthread_t thread;
    pthread_create(&thread, NULL, sleep_long, NULL);
    pthread_join(thread, NULL);
    assert(time(NULL) >= before + 86400);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 100000;
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec >= until.tv_sec);
    assert(usleep(1) == 0 && sleep(1) == 0);
    return 0;
}
