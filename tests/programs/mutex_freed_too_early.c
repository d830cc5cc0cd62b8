// norn: failed use-after-free
// The last user frees the object with its mutex while the other one has yet to take it.
#include <pthread.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t mutex;
    int users;
};

static void* release(void* argument) {
    struct object* object = argument;
    pthread_mutex_lock(&object->mutex);
    int left = --object->users;
    pthread_mutex_unlock(&object->mutex);
    if (left <= 1) free(object);  // should be 0
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct object* object = malloc(sizeof *object);
    pthread_mutex_init(&object->mutex, NULL);
    object->users = 2;
    pthread_create(&thread, NULL, release, object);
    release(object);
    pthread_join(thread, NULL);
    return 0;
}
