// keyrotation(N): two threads send 3N messages each, or MESSAGES, with a shared key and write a new key
// before every third one. Main does not join.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

#ifndef MESSAGES
#define MESSAGES (3 * N)
#endif

static atomic_int key;

static void* run(void* argument) {
    int sender = (int)(intptr_t)argument;
    for (int i = 0; i < MESSAGES; ++i) {
        if (i % 3 == 0) atomic_store(&key, 2 * i + sender + 1);
        int used = atomic_load(&key);
        (void)used;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int j = 0; j < 2; ++j) pthread_create(&threads[j], NULL, run, (void*)(intptr_t)j);
    return 0;
}
