// norn: verified
//
// The repaired lost_update.c. A mutex makes each deposit one step for the others, so the sum is right
// whichever thread comes first.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t account = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void* deposit(void* argument) {
    int amount = (int)(intptr_t)argument;
    pthread_mutex_lock(&account);
    balance += amount;
    pthread_mutex_unlock(&account);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, deposit, (void*)(intptr_t)10);
    pthread_create(&second, NULL, deposit, (void*)(intptr_t)20);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(balance == 130);
    return 0;
}
