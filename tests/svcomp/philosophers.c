// Philosophers who can starve each other: a deadlock, but nobody ever has a fork that another one has.
#include <pthread.h>

extern void reach_error(void);

enum { N = 3 };
pthread_mutex_t forks[N];
int used[N];

void *dine(void *argument) {
    int left = (int)(long)argument, right = (left + 1) % N;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    if (used[left]++ != 0) reach_error();
    --used[left];
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; ++i) pthread_mutex_init(&forks[i], 0);
    for (int i = 0; i < N; ++i) pthread_create(&threads[i], 0, dine, (void *)(long)i);
    for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
    return 0;
}
