// norn: verified
// classes: maz=3 rf=3
// Each thread writes its variable and reads the other's. Each read comes before or after the write of what it
// reads, but not both before: 2 * 2 - 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mine, theirs;
static int seen_by_other;

static void* other(void* unused) {
    atomic_store(&theirs, 1);
    seen_by_other = atomic_load(&mine);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    atomic_store(&mine, 1);
    int seen = atomic_load(&theirs);
    pthread_join(thread, NULL);
    assert(seen == 1 || seen_by_other == 1);
    return 0;
}
