// linuxrwlocks-sets(READERS, WRITERS, BOTH): the lock of linuxrwlocks-rvf with any set of threads: some that
// read, some that write, some that read and then write.
//
// Waiting for the lock is one read and an assume; the retry loop around it ends by itself.
#include <norn.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef READERS
#define READERS 1
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef BOTH
#define BOTH 0
#endif

enum { bias = 0x100000, threads = READERS + WRITERS + BOTH };

static atomic_int lock = bias;
static int d;

static void read_section(void) {
    while (atomic_fetch_sub(&lock, 1) <= 0) {
        atomic_fetch_add(&lock, 1);
        __VERIFIER_assume(atomic_load(&lock) > 0);
    }
    int seen = d;
    (void)seen;
    atomic_fetch_add(&lock, 1);
}

static void write_section(void) {
    while (atomic_fetch_sub(&lock, bias) != bias) {
        atomic_fetch_add(&lock, bias);
        __VERIFIER_assume(atomic_load(&lock) == bias);
    }
    d = 1;
    atomic_fetch_add(&lock, bias);
}

static void* read_d(void* unused) {
    (void)unused;
    read_section();
    return NULL;
}

static void* write_d(void* unused) {
    (void)unused;
    write_section();
    return NULL;
}

static void* read_then_write_d(void* unused) {
    (void)unused;
    read_section();
    write_section();
    return NULL;
}

int main(void) {
    pthread_t started[threads];
    for (int k = 0; k < threads; ++k) {
        void* (*run)(void*) = k < READERS ? read_d : k < READERS + WRITERS ? write_d : read_then_write_d;
        pthread_create(&started[k], NULL, run, NULL);
    }
    for (int k = 0; k < threads; ++k) pthread_join(started[k], NULL);
    return 0;
}
