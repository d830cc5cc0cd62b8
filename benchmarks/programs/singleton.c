// singleton(N): a maker thread allocates one byte, then N writers store into it, all of them X but one Y;
// main reads what is left. N! Mazurkiewicz and N reads-from classes, but only two values to be read.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef N
#define N 3
#endif

static char* v;

static void* make(void* unused) {
    (void)unused;
    v = malloc(1);
    return NULL;
}

static void* write_byte(void* argument) {
    *v = (char)(intptr_t)argument;
    return NULL;
}

static void* start(void* unused) {
    (void)unused;
    pthread_t maker, writers[N];
    pthread_create(&maker, NULL, make, NULL);
    pthread_join(maker, NULL);
    for (int k = 0; k < N; ++k) {
        int letter = k == 0 ? 'Y' : 'X';
        pthread_create(&writers[k], NULL, write_byte, (void*)(intptr_t)letter);
    }
    for (int k = 0; k < N; ++k) pthread_join(writers[k], NULL);
    return NULL;
}

int main(void) {
    pthread_t starter;
    pthread_create(&starter, NULL, start, NULL);
    pthread_join(starter, NULL);
    char last = *v;  // X, or Y if that was written last
    (void)last;
    return 0;
}
