// norn: failed use-after-return
// A thread leaves the address of a local variable behind, and returns from the function that has it.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int*) published;

static void publish(void) {
    int local = 1;
    published = &local;
}

static void* writer(void* unused) {
    publish();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    int* const seen = published;
    if (seen != NULL) *seen = 2;  // found here
    pthread_join(thread, NULL);
    return 0;
}
