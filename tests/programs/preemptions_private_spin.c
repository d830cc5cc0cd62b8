// norn: failed assertion
// options: --preemptions=30
// A thread that is long busy with its own variable lets others go first; the search knows of each turn.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static volatile int own = 3;
static atomic_int x;
static sem_t started;

static void be_busy(void) {
    volatile char large[2 << 20];  // more than is compared to recognise a loop
    large[0] = 0;
    for (int i = 0; i < 15000; i++) large[0] += own;
}

static void* spin(void* unused) {
    sem_post(&started);
    be_busy();
    x = 1;
    x = 1;
    return unused;
}

static void* check(void* unused) {
    sem_wait(&started);
    assert(x != 0);
    return unused;
}

static void* store(void* unused) {
    sem_wait(&started);
    x = 2;
    return unused;
}

static void start(void* (*function)(void*)) {
    pthread_t thread;
    pthread_create(&thread, NULL, function, NULL);
    pthread_detach(thread);
}

int main(void) {
    sem_init(&started, 0, 0);
    start(spin);
    start(check);
    start(store);
    return 0;
}
