// norn: failed deadlock
//
// Dining philosophers who all take the left fork first. If each has taken one, every right fork is somebody's
// left one, and all wait for ever.
#include <pthread.h>
#include <stdint.h>

enum { philosophers = 3 };

static pthread_mutex_t forks[philosophers] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};

static void* dine(void* argument) {
    int left = (int)(intptr_t)argument;
    int right = (left + 1) % philosophers;
    pthread_mutex_lock(&forks[left]);
    // Wrong: the last philosopher goes against the order of the others
    pthread_mutex_lock(&forks[right]);
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}

int main(void) {
    pthread_t threads[philosophers];
    for (int k = 0; k < philosophers; ++k) pthread_create(&threads[k], NULL, dine, (void*)(intptr_t)k);
    for (int k = 0; k < philosophers; ++k) pthread_join(threads[k], NULL);
    return 0;
}
