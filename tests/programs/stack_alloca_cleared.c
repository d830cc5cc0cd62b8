// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// Memory of alloca and of arrays of variable length starts out the same, whatever was on the stack before.
// The two increments come in one order or the other.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int order;

static void leave_something(int value) {
    volatile char bytes[2000];
    for (int i = 0; i < 2000; ++i) bytes[i] = (char)(i + value);
}

static int sum_of(const char* bytes, int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += bytes[i];
    return sum;
}

static int sum_of_unwritten(int count) {
    char array[count];
    int evaluated = 0;
    const char* const bytes = alloca((size_t)(count + evaluated++));
    assert(evaluated == 1);
    return sum_of(array, count) + sum_of(bytes, count);
}

static void* work(void* unused) {
    const int before = sum_of_unwritten(100);
    leave_something(atomic_fetch_add(&order, 1));
    assert(sum_of_unwritten(100) == before);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
