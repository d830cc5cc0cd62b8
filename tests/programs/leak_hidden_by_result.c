// norn: failed memory-leak
// options: --leaks=memory
// What a thread returned in another execution does not keep a block of this one, in which it calls exit.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int leave;

static void* work(void* unused) {
    void* block = malloc(40);
    if (leave) {
        block = NULL;
        exit(0);
    }
    (void)unused;
    return block;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    leave = 1;
    return 0;
}
