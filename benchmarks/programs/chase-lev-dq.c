// chase-lev-dq(N): the work-stealing deque of Chase and Lev on a fixed array. The owner pushes N elements and
// pops N times, two thieves steal once each. N <= 8.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

enum { cells = 8, nothing = 0 };

static atomic_int top, bottom;
static atomic_int buffer[cells];

static void push(int element) {
    int b = atomic_load(&bottom);
    int t = atomic_load(&top);
    if (b - t >= cells) return;
    atomic_store(&buffer[b % cells], element);
    atomic_store(&bottom, b + 1);
}

static int pop(void) {
    int b = atomic_load(&bottom) - 1;
    atomic_store(&bottom, b);
    int t = atomic_load(&top);
    if (b < t) {
        atomic_store(&bottom, t);
        return nothing;
    }
    int element = atomic_load(&buffer[b % cells]);
    if (b > t) return element;
    int expected = t;
    if (!atomic_compare_exchange_strong(&top, &expected, t + 1)) element = nothing;  // a thief was faster
    atomic_store(&bottom, b + 1);
    return element;
}

static void* own(void* unused) {
    (void)unused;
    for (int element = 1; element <= N; ++element) push(element);
    for (int k = 0; k < N; ++k) pop();
    return NULL;
}

static void* steal(void* unused) {
    (void)unused;
    int t = atomic_load(&top);
    int b = atomic_load(&bottom);
    if (b <= t) return NULL;
    int element = atomic_load(&buffer[t % cells]);
    (void)element;
    int expected = t;
    atomic_compare_exchange_strong(&top, &expected, t + 1);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, own, NULL);
    pthread_create(&threads[1], NULL, steal, NULL);
    pthread_create(&threads[2], NULL, steal, NULL);
    for (int k = 0; k < 3; ++k) pthread_join(threads[k], NULL);
    return 0;
}
