// norn: failed assertion
// Memory on a stack that another thread has written to is used again, by a counter of a loop that waits. The
// thread gives up after a few rounds: it is not idle while it counts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void* set(void* there) {
    atomic_store((atomic_long*)there, 5);
    return NULL;
}

static void* write_flag(void* unused) {
    atomic_store(&flag, 1);
    return unused;
}

static __attribute__((noinline)) long first(int again) {
    atomic_long here = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, set, &here);
    pthread_join(thread, NULL);
    return again;
}

static __attribute__((noinline)) long second(int most) {
    long a = 0, b = 0, c = 0, d = 0;
    while (!atomic_load(&flag) && a < most) a++, b++, c++, d++;
    return a + b + c + d;
}

int main(void) {
    long (*const steps[])(int) = {first, second};
    long sum = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, write_flag, NULL);
    for (int i = 0; i < 2; i++) sum += steps[i](4);
    pthread_join(thread, NULL);
    assert(sum != 4 + 16);
}
