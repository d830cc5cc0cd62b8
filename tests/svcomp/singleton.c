// An object that whoever comes first makes, under a lock; one that looks at it before it is filled fails.
#include <pthread.h>
#include <stdlib.h>

extern void reach_error(void);

char *object;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *make(void *unused) {
    if (object == 0) {
        pthread_mutex_lock(&mutex);
        if (object == 0) {
            object = malloc(1);
            *object = 'Y';
        }
        pthread_mutex_unlock(&mutex);
    }
    if (*object != 'Y') reach_error();
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, make, 0);
    pthread_create(&other, 0, make, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
