// norn: verified
// classes: maz=4 rf=4 rvf=4 obs=4
// Two threads write two letters each: neither is torn, either may come first, and the reader finds one or
// both.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void* write_word(void* word) {
    assert(write(ends[1], word, 2) == 2);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    char found[4];
    int size = 0;
    assert(pipe(ends) == 0);
    pthread_create(&first, NULL, write_word, "ab");
    pthread_create(&second, NULL, write_word, "cd");
    while (size < 4) size += (int)read(ends[0], found + size, sizeof found - size);
    assert(memcmp(found, "abcd", 4) == 0 || memcmp(found, "cdab", 4) == 0);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
