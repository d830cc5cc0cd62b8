// norn: verified
// classes: maz=3 rf=3 obs=3
// trylock of a spin lock: EBUSY if the thread holds it itself, or another one. Before, within or after the
// other's section: three classes.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;

static void* holder(void* unused) {
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    assert(pthread_spin_trylock(&lock) == 0);
    assert(pthread_spin_trylock(&lock) == EBUSY);
    pthread_spin_unlock(&lock);
    pthread_create(&thread, NULL, holder, NULL);
    int code = pthread_spin_trylock(&lock);
    assert(code == 0 || code == EBUSY);
    if (code == 0) pthread_spin_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
