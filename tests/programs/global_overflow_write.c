// norn: failed global-overflow
// Both threads reserve a slot before either looks whether there is one left.
#include <pthread.h>
#include <stdatomic.h>

static char log_of_events[3];
static atomic_int used = 2;

static void* append(void* unused) {
    if (atomic_load(&used) < 3) {
        const int slot = atomic_fetch_add(&used, 1);
        log_of_events[slot] = 'e';  // found here
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, append, NULL);
    append(NULL);
    pthread_join(thread, NULL);
    return 0;
}
