// dc-fig5: two threads withdraw from one account, each under its lock, and the money is enough for both. No
// parameter; the two classes are the two orders of the critical sections.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 4;

static void* withdraw(void* argument) {
    int amount = (int)(intptr_t)argument;
    pthread_mutex_lock(&mutex);
    int before = balance;
    if (before >= amount) balance = before - amount;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, withdraw, (void*)(intptr_t)(k + 1));
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    assert(balance == 1);
    return 0;
}
