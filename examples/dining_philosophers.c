// norn: verified
//
// Dining philosophers who take the lower-numbered fork first. Nobody can hold a higher fork while waiting for
// a lower one, so no circle of waiting threads can close.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { philosophers = 3, meals = 2 };

static pthread_mutex_t forks[philosophers] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};
static int uses[philosophers];  // how often each fork was eaten with; protected by the fork

static void* dine(void* argument) {
    int left = (int)(intptr_t)argument;
    int right = (left + 1) % philosophers;
    int first = left < right ? left : right;
    int second = left < right ? right : left;
    for (int meal = 0; meal < meals; ++meal) {
        pthread_mutex_lock(&forks[first]);
        pthread_mutex_lock(&forks[second]);
        ++uses[first];
        ++uses[second];
        pthread_mutex_unlock(&forks[second]);
        pthread_mutex_unlock(&forks[first]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[philosophers];
    for (int k = 0; k < philosophers; ++k) pthread_create(&threads[k], NULL, dine, (void*)(intptr_t)k);
    for (int k = 0; k < philosophers; ++k) pthread_join(threads[k], NULL);
    for (int k = 0; k < philosophers; ++k) assert(uses[k] == 2 * meals);
    return 0;
}
