// bigshot: one thread publishes a block of memory, another writes a word into it if it is there. No
// parameter; two classes. The assertion is the weak one, which holds: the block is empty or has the word.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(char*) v;

static void* allocate(void* unused) {
    (void)unused;
    atomic_store(&v, calloc(8, 1));
    return NULL;
}

static void* fill(void* unused) {
    (void)unused;
    char* block = atomic_load(&v);
    if (block != NULL) strcpy(block, "Bigshot");
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, allocate, NULL);
    pthread_create(&threads[1], NULL, fill, NULL);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    char* block = atomic_load(&v);
    assert(block[0] == '\0' || block[0] == 'B');
    return 0;
}
