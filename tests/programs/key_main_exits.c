// norn: failed assertion
// When main ends by pthread_exit only its thread ends: its destructors are called.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void destructor(void* value) {
    assert(value == NULL);  // found here
}

int main(void) {
    pthread_key_create(&key, destructor);
    pthread_setspecific(key, &key);
    pthread_exit(NULL);
}
