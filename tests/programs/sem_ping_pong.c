// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Two threads take turns by two semaphores: each step waits for the one before, so there is one order.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int ball;

static void* second(void* unused) {
    for (int round = 0; round < 2; ++round) {
        assert(sem_wait(&pong) == 0);
        assert(ball == 2 * round + 1);
        ++ball;
        assert(sem_post(&ping) == 0);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    assert(sem_init(&ping, 0, 1) == 0);
    assert(sem_init(&pong, 0, 0) == 0);
    pthread_create(&thread, NULL, second, NULL);
    for (int round = 0; round < 2; ++round) {
        sem_wait(&ping);
        assert(ball == 2 * round);
        ++ball;
        sem_post(&pong);
    }
    pthread_join(thread, NULL);
    assert(ball == 4);
    assert(sem_destroy(&ping) == 0 && sem_destroy(&pong) == 0);
    return 0;
}
