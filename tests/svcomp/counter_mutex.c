// Two threads count under a mutex; nothing is lost.
#include <pthread.h>

extern void reach_error(void);
extern void abort(void);
void __VERIFIER_assert(int condition) {
    if (!condition) {
    ERROR: { reach_error(); abort(); }
    }
}

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *count(void *unused) {
    for (int i = 0; i < 2; ++i) {
        pthread_mutex_lock(&mutex);
        counter = counter + 1;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, count, 0);
    pthread_create(&other, 0, count, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    __VERIFIER_assert(counter == 4);
    return 0;
}
