// norn: failed mutex-misuse
// Nobody looks whether the timed lock got the mutex: the thread unlocks what another one has.
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* increment(void* unused) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 3600;
    pthread_mutex_timedlock(&mutex, &deadline);
    ++counter;
    pthread_mutex_unlock(&mutex);  // found here
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
