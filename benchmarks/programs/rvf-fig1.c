// rvf-fig1: three threads write 1 to x and to y; one then reads x, another y. No parameter. All writes write
// the same value, so there is one reads-value-from class, of 9 reads-from and 98 Mazurkiewicz classes.
#include <pthread.h>

static int x, y;

static void* t1(void* unused) {
    (void)unused;
    x = 1;
    y = 1;
    return NULL;
}

static void* t2(void* unused) {
    (void)unused;
    x = 1;
    y = 1;
    int seen = x;
    (void)seen;
    return NULL;
}

static void* t3(void* unused) {
    (void)unused;
    x = 1;
    y = 1;
    int seen = y;
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, t1, NULL);
    pthread_create(&threads[1], NULL, t2, NULL);
    pthread_create(&threads[2], NULL, t3, NULL);
    for (int k = 0; k < 3; ++k) pthread_join(threads[k], NULL);
    return 0;
}
