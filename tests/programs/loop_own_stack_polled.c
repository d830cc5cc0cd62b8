// norn: verified
// classes: rf=1 rvf=1 obs=1 maz=1
// Polls a field of a struct on its own stack under a mutex beside it. (clang reports no access to that
// field.)
#include <pthread.h>
#include <stddef.h>

struct job {
    pthread_mutex_t mutex;
    int done;
};

static void* work(void* shared) {
    struct job* job = shared;
    pthread_mutex_lock(&job->mutex);
    job->done = 1;
    pthread_mutex_unlock(&job->mutex);
    return NULL;
}

int main(void) {
    struct job job = {PTHREAD_MUTEX_INITIALIZER, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, work, &job);
    for (int done = 0; !done;) {
        pthread_mutex_lock(&job.mutex);
        done = job.done;
        pthread_mutex_unlock(&job.mutex);
    }
    pthread_join(thread, NULL);
}
