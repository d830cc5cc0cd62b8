// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
//
// Waits with a deadline that has passed soon, again and again. (The flag is set before the thread looks, or
// in the first of its waits. Every later one finds nothing that the first could not.)
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int flag;

static void* wait_for_flag(void* unused) {
    const struct timespec deadline = {2000000000, 0};
    pthread_mutex_lock(&mutex);
    while (!flag) pthread_cond_timedwait(&condition, &mutex, &deadline);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait_for_flag, 0);
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
}
