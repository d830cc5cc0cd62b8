// norn: verified
// classes: maz=6 rf=6 obs=6
// Three sections under a spin lock: 3! orders.
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int total;

static void* work(void* unused) {
    assert(pthread_spin_lock(&lock) == 0);
    ++total;
    assert(pthread_spin_unlock(&lock) == 0);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, work, NULL);
    work(NULL);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    assert(total == 3);
    assert(pthread_spin_destroy(&lock) == 0);
    return 0;
}
