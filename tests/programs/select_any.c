// norn: verified
// select on two pipes: what it leaves in the set can be read without waiting.
#include <assert.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2][2];

static void* produce(void* end) {
    write(*(int*)end, "x", 1);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pipe(ends[0]);
    pipe(ends[1]);
    pthread_create(&first, NULL, produce, &ends[0][1]);
    pthread_create(&second, NULL, produce, &ends[1][1]);
    for (int left = 2; left > 0;) {
        fd_set wanted;
        FD_ZERO(&wanted);
        FD_SET(ends[0][0], &wanted);
        FD_SET(ends[1][0], &wanted);
        int ready = select(ends[1][1] + 1, &wanted, NULL, NULL, NULL), found = 0;
        assert(ready == 1 || ready == 2);
        for (int i = 0; i < 2; ++i) {
            char letter;
            if (FD_ISSET(ends[i][0], &wanted)) found += (int)read(ends[i][0], &letter, 1);
        }
        assert(found == ready);
        left -= found;
    }
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
