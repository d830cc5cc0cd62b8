// norn: verified
//
// Two locks taken in opposite orders without a deadlock: the second one is only tried, and who does not get
// it gives the first one back. Nobody waits while holding a lock. A thread may leave empty-handed; what it
// does not do is hang, or count without both locks.
#include <assert.h>
#include <pthread.h>

enum { tries = 2 };

static pthread_mutex_t east = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t west = PTHREAD_MUTEX_INITIALIZER;
static int crossings;  // changed only with both locks held

static int cross(pthread_mutex_t* near, pthread_mutex_t* far) {
    for (int attempt = 0; attempt < tries; ++attempt) {
        pthread_mutex_lock(near);
        if (pthread_mutex_trylock(far) == 0) {
            ++crossings;
            pthread_mutex_unlock(far);
            pthread_mutex_unlock(near);
            return 1;
        }
        pthread_mutex_unlock(near);
    }
    return 0;
}

static void* go_west(void* crossed) {
    *(int*)crossed = cross(&east, &west);
    return NULL;
}

static void* go_east(void* crossed) {
    *(int*)crossed = cross(&west, &east);
    return NULL;
}

int main(void) {
    int crossed[2] = {0, 0};
    pthread_t first, second;
    pthread_create(&first, NULL, go_west, &crossed[0]);
    pthread_create(&second, NULL, go_east, &crossed[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(crossings == crossed[0] + crossed[1]);
    return 0;
}
