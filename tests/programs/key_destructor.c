// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// At the end of a thread the destructor gets what the thread kept, which is no longer kept then; not if that
// is NULL. The threads run one after the other: one class.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int calls, kept;

static void destructor(void* value) {
    assert(pthread_getspecific(key) == NULL);
    assert(value == &kept);
    ++calls;
}

static void* work(void* value) {
    assert(pthread_getspecific(key) == NULL);
    assert(pthread_setspecific(key, value) == 0);
    assert(pthread_getspecific(key) == value);
    return NULL;
}

static void run(void* value) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, value);
    pthread_join(thread, NULL);
}

int main(void) {
    assert(pthread_key_create(&key, destructor) == 0);
    run(&kept);
    assert(calls == 1);
    run(NULL);
    assert(calls == 1);
    assert(pthread_key_delete(key) == 0);
    return 0;
}
