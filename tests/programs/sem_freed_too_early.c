// norn: failed use-after-free
// Main frees the semaphore after the first of two posts.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static void* poster(void* argument) {
    sem_t* semaphore = argument;
    sem_post(semaphore);
    sem_post(semaphore);  // found here
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_t* semaphore = malloc(sizeof *semaphore);
    sem_init(semaphore, 0, 0);
    pthread_create(&thread, NULL, poster, semaphore);
    sem_wait(semaphore);
    free(semaphore);
    pthread_join(thread, NULL);
    return 0;
}
