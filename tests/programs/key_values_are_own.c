// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Each thread has a value of its own under the same key; to set it is nobody else's concern.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void* work(void* mine) {
    assert(pthread_getspecific(key) == NULL);
    assert(pthread_setspecific(key, mine) == 0);
    assert(pthread_getspecific(key) == mine);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int values[3];
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &values[2]);
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, work, &values[k]);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    assert(pthread_getspecific(key) == &values[2]);
    return 0;
}
