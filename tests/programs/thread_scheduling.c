// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Scheduling, processors, concurrency: what was set is given back, and makes no other difference.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static void* work(void* unused) {
    struct sched_param parameter = {10};
    int policy = -1;
    cpu_set_t processors;
    assert(pthread_getschedparam(pthread_self(), &policy, &parameter) == 0);
    assert(policy == SCHED_OTHER && parameter.sched_priority == 0);
    parameter.sched_priority = 10;
    assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameter) == EINVAL);
    assert(pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter) == 0);
    assert(pthread_setschedprio(pthread_self(), 11) == 0 &&
           pthread_setschedprio(pthread_self(), 1000) == EINVAL);
    assert(pthread_getschedparam(pthread_self(), &policy, &parameter) == 0);
    assert(policy == SCHED_FIFO && parameter.sched_priority == 11);
    assert(pthread_getaffinity_np(pthread_self(), sizeof processors, &processors) == 0);
    assert(CPU_COUNT(&processors) > 0);
    int first = 0;
    while (!CPU_ISSET(first, &processors)) ++first;
    CPU_ZERO(&processors);
    assert(pthread_setaffinity_np(pthread_self(), sizeof processors, &processors) == EINVAL);
    CPU_SET(first, &processors);
    assert(pthread_setaffinity_np(pthread_self(), sizeof processors, &processors) == 0);
    CPU_ZERO(&processors);
    assert(pthread_getaffinity_np(pthread_self(), sizeof processors, &processors) == 0);
    assert(CPU_COUNT(&processors) == 1 && CPU_ISSET(first, &processors));
    return unused;
}

int main(void) {
    pthread_t thread;
    assert(pthread_getconcurrency() == 0 && pthread_setconcurrency(-1) == EINVAL);
    assert(pthread_setconcurrency(4) == 0 && pthread_getconcurrency() == 4);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
