// eratosthenes(N): two threads run the sieve of Eratosthenes on the same array of N entries; entry i stands
// for the number i + 2. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

enum { prime = 1, composite = 2 };

static atomic_int numbers[N];

static void* run(void* unused) {
    (void)unused;
    for (int i = 0; i < N; ++i) {
        if (atomic_load(&numbers[i]) == 0) {
            atomic_store(&numbers[i], prime);
            for (int j = 2 * i + 2; j < N; j += i + 2) atomic_store(&numbers[j], composite);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int j = 0; j < 2; ++j) pthread_create(&threads[j], NULL, run, (void*)(intptr_t)j);
    return 0;
}
