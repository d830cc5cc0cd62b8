// norn: verified
// A mutex, a condition variable and a flag in a struct on the stack of the one who waits, with a timeout.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int open;
    int by;
};

static void* open_gate(void* shared) {
    struct gate* gate = shared;
    pthread_mutex_lock(&gate->mutex);
    gate->by = 7;
    gate->open = 1;
    pthread_cond_signal(&gate->changed);
    pthread_mutex_unlock(&gate->mutex);
    return NULL;
}

int main(void) {
    struct gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, open_gate, &gate);
    const struct timespec soon = {2000000000, 0};
    pthread_mutex_lock(&gate.mutex);
    while (!gate.open) pthread_cond_timedwait(&gate.changed, &gate.mutex, &soon);
    assert(gate.by == 7);
    pthread_mutex_unlock(&gate.mutex);
    pthread_join(thread, NULL);
}
