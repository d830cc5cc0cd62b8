// norn: failed semaphore-misuse
// A thread posts to a semaphore that was destroyed.
#include <semaphore.h>

int main(void) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    sem_destroy(&semaphore);
    sem_post(&semaphore);  // found here
    return 0;
}
