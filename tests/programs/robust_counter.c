// norn: verified
// classes: maz=6 rf=6 obs=6 rvf=6
// Three threads take the mutex, one of them ends with it: six orders. Who comes after it repairs the counter.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int counter, is_half_done;

static void* work(void* ends_inside) {
    if (pthread_mutex_lock(&mutex) == EOWNERDEAD) {
        if (is_half_done) ++counter;
        is_half_done = 0;
        pthread_mutex_consistent(&mutex);
    }
    assert(!is_half_done);
    is_half_done = 1;
    if (ends_inside != NULL) return NULL;
    ++counter;
    is_half_done = 0;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t threads[3];
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, i == 0 ? &mutex : NULL);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
    assert(counter == (is_half_done ? 2 : 3));
    return 0;
}
