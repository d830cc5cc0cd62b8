// norn: failed assertion
// Nothing says which of two writers comes first.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* write_letter(void* letter) {
    write(ends[1], letter, 1);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    char found = 0;
    pipe(ends);
    pthread_create(&first, NULL, write_letter, "a");
    pthread_create(&second, NULL, write_letter, "b");
    read(ends[0], &found, 1);
    assert(found == 'a');  // found here
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
