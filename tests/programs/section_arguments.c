// norn: verified
// Arguments and results of a section are what they would be without: in registers, on the stack, in memory.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

struct pair {
    long one, other;
};
struct large {
    long numbers[5];
};

static long total;

static double __VERIFIER_atomic_many(int a, long b, double c, char d, float e, short f, long g, long h,
                                     long i, double j) {
    total = total + 1;
    return a + b + c + d + e + f + g + h + i + j;
}
static struct pair __VERIFIER_atomic_pair(struct pair of, double by) {
    total = total + 1;
    return (struct pair){of.other, of.one + (long)by};
}
static struct large __VERIFIER_atomic_large(struct large of) {
    total = total + 1;
    of.numbers[4] = of.numbers[0];
    return of;
}
static double __VERIFIER_atomic_sum(int count, ...) {
    double sum = 0;
    va_list rest;
    va_start(rest, count);
    for (int i = 0; i < count; ++i) sum += va_arg(rest, double);
    va_end(rest);
    total = total + 1;
    return sum;
}

static void* work(void* unused) {
    assert(__VERIFIER_atomic_many(1, 2, 0.5, 4, 8.0F, 16, 32, 64, 128, 0.25) == 255.75);
    struct pair swapped = __VERIFIER_atomic_pair((struct pair){3, 4}, 10.0);
    assert(swapped.one == 4 && swapped.other == 13);
    struct large moved = __VERIFIER_atomic_large((struct large){{7, 0, 0, 0, 0}});
    assert(moved.numbers[4] == 7);
    assert(__VERIFIER_atomic_sum(3, 1.0, 2.0, 4.0) == 7.0);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(total == 8);
    return 0;
}
