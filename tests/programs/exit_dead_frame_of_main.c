// norn: failed use-after-return
// A thread uses a variable of main while handlers run: main has returned, whatever they have on their stacks.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static sem_t in_handler, used;

static void* work(void* counter) {
    sem_wait(&in_handler);
    atomic_fetch_add((atomic_int*)counter, 1);  // found here
    sem_post(&used);
    return NULL;
}
static void handler(void) {
    atomic_int some[64] = {0};
    atomic_store(&some[1], 1);
    sem_post(&in_handler);
    sem_wait(&used);
}

int main(void) {
    atomic_int counter = 0;
    pthread_t thread;
    sem_init(&in_handler, 0, 0);
    sem_init(&used, 0, 0);
    atexit(handler);
    pthread_create(&thread, NULL, work, &counter);
    return 0;
}
