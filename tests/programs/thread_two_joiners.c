// norn: failed thread-misuse
// Two threads wait for the end of a third one: only one of them may.
#include <pthread.h>

static pthread_t awaited;

static void* nothing(void* unused) { return unused; }

static void* wait_for_it(void* unused) {
    pthread_join(awaited, NULL);  // found here
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&awaited, NULL, nothing, NULL);
    pthread_create(&first, NULL, wait_for_it, NULL);
    pthread_create(&second, NULL, wait_for_it, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
