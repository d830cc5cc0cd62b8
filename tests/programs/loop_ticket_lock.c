// norn: verified
// classes: maz=2 rf=2
// Either thread may draw the first ticket; then everything is decided.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint next_ticket, now_serving;
static int counter;

static void* increment(void* unused) {
    unsigned ticket = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&now_serving) != ticket) {
    }
    ++counter;
    atomic_fetch_add(&now_serving, 1);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, increment, NULL);
    pthread_create(&second, NULL, increment, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2);
    return 0;
}
