// deque(PUSH, POP, MORE, THIEVES, STEALS): the work-stealing deque of Chase and Lev on a fixed array. The
// owner pushes PUSH elements, pops POP times and pushes MORE elements; each thief steals STEALS times.
//
// chase-lev-dq is the same deque in another order of operations, with one parameter.
#include <pthread.h>
#include <stdatomic.h>

#ifndef PUSH
#define PUSH 2
#endif
#ifndef POP
#define POP 1
#endif
#ifndef MORE
#define MORE 0
#endif
#ifndef THIEVES
#define THIEVES 1
#endif
#ifndef STEALS
#define STEALS 1
#endif

enum { cells = 10, nothing = 0 };

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
        atomic_store(&bottom, b + 1);
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
    for (int element = 1; element <= PUSH; ++element) push(element);
    for (int k = 0; k < POP; ++k) pop();
    for (int element = PUSH + 1; element <= PUSH + MORE; ++element) push(element);
    return NULL;
}

static void steal(void) {
    int t = atomic_load(&top);
    int b = atomic_load(&bottom);
    if (b <= t) return;
    int element = atomic_load(&buffer[t % cells]);
    (void)element;
    int expected = t;
    atomic_compare_exchange_strong(&top, &expected, t + 1);
}

static void* rob(void* unused) {
    (void)unused;
    for (int k = 0; k < STEALS; ++k) steal();
    return NULL;
}

int main(void) {
    pthread_t owner, thieves[THIEVES];
    pthread_create(&owner, NULL, own, NULL);
    for (int k = 0; k < THIEVES; ++k) pthread_create(&thieves[k], NULL, rob, NULL);
    pthread_join(owner, NULL);
    for (int k = 0; k < THIEVES; ++k) pthread_join(thieves[k], NULL);
    return 0;
}
