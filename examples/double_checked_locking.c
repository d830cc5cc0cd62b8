// norn: failed assertion
//
// Double-checked locking with a plain flag. The flag is raised before the object is complete, so a thread
// that passes the first check, which takes no lock, can see half an object. This fails even under sequential
// consistency. With the flag raised last it would still be wrong in C: it must be atomic as well.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

struct configuration {
    int port;
    int workers;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool initialised;
static struct configuration configuration;

static const struct configuration* get_configuration(void) {
    if (!initialised) {
        pthread_mutex_lock(&mutex);
        if (!initialised) {
            // Wrong: this must come last, after the object is complete
            initialised = true;
            configuration.port = 8080;
            configuration.workers = 4;
        }
        pthread_mutex_unlock(&mutex);
    }
    return &configuration;
}

static void* serve(void* unused) {
    (void)unused;
    const struct configuration* mine = get_configuration();
    assert(mine->port == 8080);
    assert(mine->workers == 4);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, serve, NULL);
    pthread_create(&second, NULL, serve, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
