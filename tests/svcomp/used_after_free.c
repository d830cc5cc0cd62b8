// A list whose owner frees it while somebody still looks at it.
#include <pthread.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};
struct item *list;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *look(void *unused) {
    pthread_mutex_lock(&mutex);
    struct item *first = list;
    pthread_mutex_unlock(&mutex);
    return first ? (void *)(long)first->value : 0;
}

int main(void) {
    pthread_t looker;
    list = calloc(1, sizeof *list);
    pthread_create(&looker, 0, look, 0);
    pthread_mutex_lock(&mutex);
    struct item *old = list;
    list = 0;
    pthread_mutex_unlock(&mutex);
    free(old);
    pthread_join(looker, 0);
    return 0;
}
