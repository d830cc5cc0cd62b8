// norn: failed assertion
// Whether the destructor is called depends on which comes first, the end of the thread or the deletion.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static pthread_barrier_t ready;
static int calls;

static void destructor(void* value) {
    (void)value;
    calls++;
}

static void* work(void* unused) {
    pthread_setspecific(key, &calls);
    pthread_barrier_wait(&ready);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destructor);
    pthread_barrier_init(&ready, NULL, 2);
    pthread_create(&thread, NULL, work, NULL);
    pthread_barrier_wait(&ready);
    pthread_key_delete(key);
    pthread_join(thread, NULL);
    assert(calls == 1);
    return 0;
}
