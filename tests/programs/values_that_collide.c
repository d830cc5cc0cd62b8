// norn: failed assertion
// These two structs are not equal, but a digest of 64 bits without a key is the same for both: the second
// word undoes, in the mixing function, what the first one changes. A reader of one must be explored with the
// other.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct triple {
    unsigned long first, second, third;
};
struct triple shared;
static const struct triple one = {1, 2, 4}, other = {3, 0x3546f41ea946b181, 4};

static void* write_one(void* unused) {
    memcpy(&shared, &one, sizeof shared);
    return unused;
}

static void* write_other(void* unused) {
    memcpy(&shared, &other, sizeof shared);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, write_one, 0);
    pthread_create(&threads[1], 0, write_other, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    struct triple seen;
    memcpy(&seen, &shared, sizeof seen);
    assert(seen.first != 3);
}
