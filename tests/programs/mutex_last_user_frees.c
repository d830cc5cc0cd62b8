// norn: verified
// classes: maz=2 rf=2 obs=2
// The last user destroys and frees the object with its mutex: two sections, 2! orders.
#include <assert.h>
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
    if (left == 0) {
        assert(pthread_mutex_destroy(&object->mutex) == 0);
        free(object);
    }
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
