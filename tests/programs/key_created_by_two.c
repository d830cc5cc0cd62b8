// norn: verified
// classes: maz=2 rf=2 obs=2
// Two threads create a key each: the keys differ, whoever is first, which is all that is open.
#include <assert.h>
#include <pthread.h>

static pthread_key_t keys[2];

static void* work(void* argument) {
    pthread_key_t* key = argument;
    assert(pthread_key_create(key, NULL) == 0);
    assert(pthread_getspecific(*key) == NULL);
    assert(pthread_setspecific(*key, key) == 0);
    assert(pthread_getspecific(*key) == key);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, &keys[0]);
    work(&keys[1]);
    pthread_join(thread, NULL);
    assert(keys[0] != keys[1]);
    assert(pthread_getspecific(keys[0]) == NULL);
    assert(pthread_getspecific(keys[1]) == &keys[1]);
    return 0;
}
