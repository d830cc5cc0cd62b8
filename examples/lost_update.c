// norn: failed assertion
//
// Lost update. `balance += amount` looks like one step but is two: a read and a write. If both threads read
// before either writes, one deposit vanishes.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int balance = 100;

static void* deposit(void* argument) {
    int amount = (int)(intptr_t)argument;
    // Wrong: nothing keeps the other thread out between read and write
    balance += amount;
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
