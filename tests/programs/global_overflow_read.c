// norn: failed global-overflow
// A thread looks for a value in a table and misses its end if another one has taken the value out.
#include <pthread.h>

static int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static void* take(void* unused) {
    table[7] = 0;
    return unused;
}

static int find(int value) {
    int i = 0;
    while (table[i] != value) ++i;  // found here
    return i;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, take, NULL);
    const int place = find(8);
    pthread_join(thread, NULL);
    return place - 7;
}
