// norn: verified
//
// The loop changes nothing that others see, and counts in a register of the processor: it is no wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, rounds;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void* signal_often(void* unused) {
    register int i = flag;
    for (i = 0; i < 40; ++i) pthread_cond_signal(&condition);
    rounds = i;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, signal_often, 0);
    flag = 1;
    pthread_cond_signal(&condition);
    pthread_join(thread, 0);
    assert(rounds == 40);
}
