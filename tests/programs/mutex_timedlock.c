// norn: verified
// classes: maz=4 rf=4
// Who waits for a mutex with a timeout gets it, or gives up because somebody has it. Either thread may be the
// first, and the other one comes while it has the mutex or later.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* increment(void* unused) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    int code = pthread_mutex_timedlock(&mutex, &deadline);
    assert(code == 0 || code == ETIMEDOUT);
    if (code != 0) return &counter;
    ++counter;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t first, second;
    void *one, *two;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, &one);
    pthread_join(second, &two);
    assert(counter == (one == NULL) + (two == NULL) && counter >= 1);
    return 0;
}
