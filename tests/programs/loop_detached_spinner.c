// norn: verified
// A detached thread spins for ever on work that does not come: the end of main is its end.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int work;

static void* serve(void* unused) {
    while (!atomic_load(&work)) {
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
    pthread_detach(thread);
    return atomic_load(&work);
}
