// norn: verified
// classes: maz=6 rf=6 obs=6
// Two threads, one initialisation, whose result both see. Either does it; the other one first looks before it
// has begun, while it runs or when it is done: 2 * 3.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised;

static void initialise(void) { ++initialised; }

static void* use(void* unused) {
    assert(pthread_once(&once, initialise) == 0);
    assert(initialised == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    return 0;
}
