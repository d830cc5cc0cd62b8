// norn: verified
// classes: maz=1 rf=1
// The same with a plain variable, in a function, and with a pause and a yield in the loop.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

static volatile bool ready;
static int value;

static void* produce(void* unused) {
    value = 42;
    ready = true;
    return unused;
}

static bool is_ready(void) { return ready; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    while (!is_ready()) {
        __builtin_ia32_pause();
        sched_yield();
    }
    assert(value == 42);
    pthread_join(thread, NULL);
    return 0;
}
