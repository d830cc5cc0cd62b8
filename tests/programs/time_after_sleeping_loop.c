// norn: failed assertion
// Time that passes in the rounds of a loop is noticed after it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag;
static time_t start;

static void* wait_for_flag(void* unused) {
    while (!flag) sleep(1);
    assert(time(NULL) < start + 3);
    return unused;
}

static void* set_flag(void* unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t waiter, setter;
    start = time(NULL);
    pthread_create(&waiter, NULL, wait_for_flag, NULL);
    pthread_create(&setter, NULL, set_flag, NULL);
    pthread_join(waiter, NULL);
    pthread_join(setter, NULL);
    return 0;
}
