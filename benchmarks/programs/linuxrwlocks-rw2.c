// linuxrwlocks-rw2: a reader-writer lock made of one counter; one thread reads, then writes, the other
// writes. A thread that does not get the lock in three attempts, or finds it taken when it looks again, ends.
// No parameter.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { bias = 0x100000, attempts = 3 };

static atomic_int lock = bias;
static int d;

static bool read_lock(void) {
    int failures = 0;
    while (atomic_fetch_sub(&lock, 1) <= 0) {
        atomic_fetch_add(&lock, 1);
        if (++failures == attempts) return false;
        if (atomic_load(&lock) <= 0) return false;
    }
    return true;
}

static bool write_lock(void) {
    int failures = 0;
    while (atomic_fetch_sub(&lock, bias) != bias) {
        atomic_fetch_add(&lock, bias);
        if (++failures == attempts) return false;
        if (atomic_load(&lock) != bias) return false;
    }
    return true;
}

static void* write_d(void* unused) {
    (void)unused;
    if (!write_lock()) return NULL;
    d = 1;
    atomic_fetch_add(&lock, bias);
    return NULL;
}

static void* read_then_write_d(void* unused) {
    if (!read_lock()) return NULL;
    int seen = d;
    (void)seen;
    atomic_fetch_add(&lock, 1);
    return write_d(unused);
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, read_then_write_d, NULL);
    pthread_create(&threads[1], NULL, write_d, NULL);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    return 0;
}
