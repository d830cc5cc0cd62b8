// norn: failed assertion
// Waits that time out again and again take their time, which is noticed after the loop.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_set;

static void* set(void* unused) {
    pthread_mutex_lock(&mutex);
    is_set = true;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    const time_t start = deadline.tv_sec;
    deadline.tv_sec += 1;
    pthread_create(&thread, NULL, set, NULL);
    pthread_mutex_lock(&mutex);
    while (!is_set) pthread_cond_timedwait(&changed, &mutex, &deadline);
    pthread_mutex_unlock(&mutex);
    assert(time(NULL) < start + 5);
    pthread_join(thread, NULL);
    return 0;
}
