// linuxrwlocks-try(N): two threads try the reader-writer lock of linuxrwlocks N times each, in turn for
// reading and for writing, and never wait. C(4N, 2N) classes, for Mazurkiewicz and reads-from.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

enum { bias = 0x100000 };

static atomic_int lock = bias;
static int d;

static void* try_in_turn(void* unused) {
    (void)unused;
    for (int i = 0; i < N; ++i) {
        if (i % 2 == 0) {
            if (atomic_fetch_sub(&lock, 1) > 0) {
                int seen = d;
                (void)seen;
            }
            atomic_fetch_add(&lock, 1);
        } else {
            if (atomic_fetch_sub(&lock, bias) == bias) d = i;
            atomic_fetch_add(&lock, bias);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, try_in_turn, NULL);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    return 0;
}
