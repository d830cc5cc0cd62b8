// A bounded queue between a producer and a consumer, with condition variables: what goes in comes out in order.
#include <pthread.h>

extern void reach_error(void);

enum { ROOM = 2, ITEMS = 4 };
int queue[ROOM], head, count;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;

void *produce(void *unused) {
    for (int i = 0; i < ITEMS; ++i) {
        pthread_mutex_lock(&mutex);
        while (count == ROOM) pthread_cond_wait(&not_full, &mutex);
        queue[(head + count) % ROOM] = i;
        ++count;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

void *consume(void *unused) {
    for (int i = 0; i < ITEMS; ++i) {
        pthread_mutex_lock(&mutex);
        while (count == 0) pthread_cond_wait(&not_empty, &mutex);
        if (queue[head] != i) reach_error();
        head = (head + 1) % ROOM;
        --count;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, produce, 0);
    pthread_create(&other, 0, consume, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
