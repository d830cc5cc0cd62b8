// norn: verified
// classes: maz=3 rf=3 obs=3
// A buffer of two places, two items. Open is only whether the consumer takes the first item before the second
// one is put, and, if it does, whether it gives its place back before the second one takes its own: 1 + 2.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t places, items;
static int buffer[2];

static void* producer(void* unused) {
    for (int k = 0; k < 2; ++k) {
        sem_wait(&places);
        buffer[k] = k + 1;
        sem_post(&items);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&places, 0, 2);
    sem_init(&items, 0, 0);
    pthread_create(&thread, NULL, producer, NULL);
    for (int k = 0; k < 2; ++k) {
        sem_wait(&items);
        assert(buffer[k] == k + 1);
        sem_post(&places);
    }
    pthread_join(thread, NULL);
    return 0;
}
