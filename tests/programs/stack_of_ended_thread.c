// norn: failed use-after-return
// The result of a thread is a pointer to a variable of its own.
#include <pthread.h>

static void* compute(void* unused) {
    int result = 42;
    int* volatile address = &result;
    (void)unused;
    return address;
}

int main(void) {
    pthread_t thread;
    void* result;
    pthread_create(&thread, NULL, compute, NULL);
    pthread_join(thread, &result);
    return *(int*)result != 42;  // found here
}
