// norn: failed assertion
//
// Check, then act. Looking at the balance and changing it are each under the mutex, but not together: two
// withdrawals can both find enough money. It takes the right amounts to overdraw; `norn_choose` makes norn
// try all of them.
#include <assert.h>
#include <norn.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 3;

static int read_balance(void) {
    pthread_mutex_lock(&mutex);
    int value = balance;
    pthread_mutex_unlock(&mutex);
    return value;
}

static void change_balance(int difference) {
    pthread_mutex_lock(&mutex);
    balance += difference;
    pthread_mutex_unlock(&mutex);
}

static void* withdraw(void* unused) {
    (void)unused;
    int amount = (int)norn_choose(3);
    if (read_balance() >= amount) {
        // Wrong: the balance may have changed since the look
        change_balance(-amount);
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, withdraw, NULL);
    pthread_create(&second, NULL, withdraw, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(balance >= 0);
    return 0;
}
