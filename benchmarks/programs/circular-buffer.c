// circular-buffer(N): one sender and one receiver, N rounds each, every round one critical section.
//
// The classes are the orders of the critical sections: C(2N, N), for every equivalence. Safe for N <= 9; from
// N = 10 on the write position wraps and the receiver's assertion can fail.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef N
#define N 4
#endif

enum { cells = 10 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char buffer[cells];
static unsigned first, next;
static int size = cells;
static bool may_send = true, may_receive;
static int value;

static int insert(int item) {
    if (next < (unsigned)size && size > 0) {
        buffer[next] = (char)item;
        next = (next + 1) % (unsigned)size;
        assert(next < (unsigned)size);
        return item;
    }
    return -1;
}

static int take(void) {
    if (next > 0 && first < (unsigned)size) {
        first = first + 1;
        return buffer[first - 1];
    }
    return -1;
}

static void* send(void* unused) {
    (void)unused;
    for (int i = 0; i < N; ++i) {
        pthread_mutex_lock(&mutex);
        if (may_send) {
            int inserted = insert(i);
            assert(inserted == i);
            value = i;
            may_send = false;
            may_receive = true;
        }
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void* receive(void* unused) {
    (void)unused;
    for (int i = 0; i < N; ++i) {
        pthread_mutex_lock(&mutex);
        if (may_receive) {
            int taken = take();
            assert(taken == value);
            may_receive = false;
            may_send = true;
        }
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t sender, receiver;
    pthread_create(&sender, NULL, send, NULL);
    pthread_create(&receiver, NULL, receive, NULL);
    pthread_join(sender, NULL);
    pthread_join(receiver, NULL);
    return 0;
}
