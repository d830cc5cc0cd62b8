// The same stack, but whether there is something to pop is looked up before the lock is taken.
#include <pthread.h>

extern void reach_error(void);

enum { SIZE = 3 };
static int top, items[SIZE];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *popper(void *unused) {
    if (top > 0) {
        pthread_mutex_lock(&mutex);
        if (top == 0) reach_error();
        items[--top] = 0;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t one, other;
    items[top++] = 1;
    pthread_create(&one, 0, popper, 0);
    pthread_create(&other, 0, popper, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
