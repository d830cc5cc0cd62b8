// boop(N): a model of a toy device driver: one releaser, three openers (or OPENERS). With FINAL=0 the
// releaser leaves out its last look.
//
// Waiting loops poll at most N times; who polls in vain ends. Increments are a read and a write. Main does
// not join.
#include <pthread.h>

#ifndef N
#define N 1
#endif

#ifndef OPENERS
#define OPENERS 3
#endif

#ifndef FINAL
#define FINAL 1
#endif

enum { openers = OPENERS };

static int use, locked, opened, go;

static void* release(void* unused) {
    (void)unused;
    use = 0;
    locked = 0;
    go = 1;
    int poll = 0;
    while (poll < N && opened == 0) ++poll;
    if (poll == N) return NULL;
    int users = use;
    use = users - 1;
    locked = 0;
    if (FINAL) {
        int left = use;  // 0 in the eyes of the original, which can be wrong
        (void)left;
    }
    return NULL;
}

static void* open_device(void* unused) {
    (void)unused;
    int poll = 0;
    while (poll < N && go == 0) ++poll;
    if (poll == N) return NULL;
    int users = use;
    use = users + 1;
    if (locked != 0) return NULL;
    locked = 1;
    opened = 1;
    return NULL;
}

int main(void) {
    pthread_t releaser, threads[openers];
    pthread_create(&releaser, NULL, release, NULL);
    for (int k = 0; k < openers; ++k) pthread_create(&threads[k], NULL, open_device, NULL);
    return 0;
}
