// norn: verified
// A mutex that is locked inside of sections only is always free there.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* work(void* unused) {
    __VERIFIER_atomic_begin();
    assert(pthread_mutex_trylock(&mutex) == 0);
    counter = counter + 1;
    pthread_mutex_unlock(&mutex);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    pthread_mutex_lock(&mutex);
    assert(counter == 2);
    pthread_mutex_unlock(&mutex);
    return 0;
}
