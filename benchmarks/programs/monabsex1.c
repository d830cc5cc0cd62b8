// monabsex1(N): N threads write the same value to one plain variable and read it back. (N!)^2 Mazurkiewicz,
// (N + 1)^(N - 1) reads-from classes, one reads-value-from class. Main does not join.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static int s;

static void* write_and_read(void* unused) {
    (void)unused;
    s = 4;
    int seen = s;
    assert(seen == 4);
    return NULL;
}

int main(void) {
    s = 0;
    pthread_t threads[N];
    for (int k = 0; k < N; ++k) pthread_create(&threads[k], NULL, write_and_read, NULL);
    return 0;
}
