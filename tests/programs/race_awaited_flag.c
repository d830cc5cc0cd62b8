// norn: failed data-race
// options: --races=error
// A store to a variable that a loop waits for is a store: the reader without the mutex races with it.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;
static int seen;

static void* wait_for_flag(void* unused) {
    int is_set;
    do {
        pthread_mutex_lock(&mutex);
        is_set = flag;
        pthread_mutex_unlock(&mutex);
    } while (!is_set);
    return unused;
}

static void* set_flag(void* unused) {
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void* look(void* unused) {
    seen = flag;
    return unused;
}

int main(void) {
    pthread_t waiter, setter, looker;
    pthread_create(&waiter, NULL, wait_for_flag, NULL);
    pthread_create(&setter, NULL, set_flag, NULL);
    pthread_create(&looker, NULL, look, NULL);
    pthread_join(setter, NULL);
    pthread_join(looker, NULL);
    pthread_join(waiter, NULL);
    return 0;
}
