// reorder_5-flat(N): reorder_5 with a checker that reads a, then b, and b once more if a was 1.
#include <pthread.h>

#ifndef N
#define N 2
#endif

static int a, b;

static void* set(void* unused) {
    (void)unused;
    a = 1;
    b = -1;
    return NULL;
}

static void* check(void* unused) {
    (void)unused;
    int seen_a = a;
    int seen_b = b;
    if (seen_a == 1) seen_b = b;
    (void)seen_b;
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int k = 0; k < N; ++k) pthread_create(&threads[k], NULL, set, NULL);
    pthread_create(&threads[N], NULL, check, NULL);
    for (int k = 0; k <= N; ++k) pthread_join(threads[k], NULL);
    return 0;
}
