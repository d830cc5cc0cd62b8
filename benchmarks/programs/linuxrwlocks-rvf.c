// linuxrwlocks-rvf(N): a reader-writer lock made of one counter, N + 1 threads. N = 1: a writer and a thread
// that reads, then writes. N = 2: a reader as well. Other N are not defined.
//
// Waiting for the lock is one read and an assume; the retry loop around it ends by itself.
#include <norn.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 1
#endif
#if N < 1 || N > 2
#error "linuxrwlocks-rvf is defined for N = 1 and N = 2"
#endif

enum { bias = 0x100000 };

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

#if N == 2
static void* read_d(void* unused) {
    (void)unused;
    read_section();
    return NULL;
}
#endif

int main(void) {
    pthread_t threads[N + 1];
    pthread_create(&threads[0], NULL, write_d, NULL);
    pthread_create(&threads[1], NULL, read_then_write_d, NULL);
#if N == 2
    pthread_create(&threads[2], NULL, read_d, NULL);
#endif
    for (int k = 0; k <= N; ++k) pthread_join(threads[k], NULL);
    return 0;
}
