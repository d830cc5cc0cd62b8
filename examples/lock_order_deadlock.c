// norn: failed deadlock
//
// Deadlock by lock order. A transfer locks the account it takes from, then the one it gives to. Two transfers
// in opposite directions can each hold one lock and wait for the other's.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account* from, struct account* to, int amount) {
    pthread_mutex_lock(&from->lock);
    // Wrong: the order depends on the direction of the transfer
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void* pay_rent(void* unused) {
    (void)unused;
    transfer(&savings, &checking, 70);
    return NULL;
}

static void* put_aside(void* unused) {
    (void)unused;
    transfer(&checking, &savings, 30);
    return NULL;
}

int main(void) {
    pthread_t rent, aside;
    pthread_create(&rent, NULL, pay_rent, NULL);
    pthread_create(&aside, NULL, put_aside, NULL);
    pthread_join(rent, NULL);
    pthread_join(aside, NULL);
    return 0;
}
