// A stack under one mutex; a thread that pops makes sure, under the same lock, that there is something.
#include <pthread.h>

extern void reach_error(void);

enum { SIZE = 3 };
static int top, items[SIZE], popped;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void push(int value) {
    if (top == SIZE) reach_error();
    items[top++] = value;
}
static int pop(void) {
    if (top == 0) reach_error();
    return items[--top];
}

static void *pusher(void *unused) {
    for (int i = 1; i <= SIZE; ++i) {
        pthread_mutex_lock(&mutex);
        push(i);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}
static void *popper(void *unused) {
    for (int i = 1; i <= SIZE; ++i) {
        pthread_mutex_lock(&mutex);
        if (top > 0) popped += pop();
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, pusher, 0);
    pthread_create(&other, 0, popper, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    while (top > 0) popped += pop();
    if (popped != 6) reach_error();
    return 0;
}
