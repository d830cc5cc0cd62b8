// norn: cannot check sem_open
// Named semaphores are not modelled.
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t* semaphore = sem_open("/norn-test", O_CREAT, 0600, 1);
    return semaphore == SEM_FAILED;
}
