// unverif(N): N threads raise a counter and look at it; who finds 1 has the variable s for itself. (N!)^2
// classes, for every equivalence. With LOCK=1 the counter is raised under a mutex. Main does not join.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

#ifndef LOCK
#define LOCK 0
#endif

static atomic_uint counter;
static unsigned s;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void raise_counter(void) {
    if (!LOCK) {
        atomic_fetch_add(&counter, 1);
        return;
    }
    pthread_mutex_lock(&mutex);
    unsigned before = atomic_load(&counter);
    atomic_store(&counter, before + 1);
    pthread_mutex_unlock(&mutex);
}

static void* raise_and_look(void* unused) {
    (void)unused;
    raise_counter();
    if (atomic_load(&counter) == 1) {
        for (unsigned own = 1; own <= 2; ++own) {
            unsigned before = s;
            s = before + 1;
            unsigned after = s;
            assert(after == own);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int k = 0; k < N; ++k) pthread_create(&threads[k], NULL, raise_and_look, NULL);
    return 0;
}
