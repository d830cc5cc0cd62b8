// norn: verified
// The state of a loop that waits repeats only every hundred rounds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int data;

static void* set(void* unused) {
    data = 1;
    atomic_store(&flag, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    for (int rounds = 0; !atomic_load(&flag); rounds = (rounds + 1) % 100) {
    }
    assert(data == 1);
    pthread_join(thread, NULL);
}
