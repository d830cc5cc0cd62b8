// zstd's thread pool with two users: one adds jobs to a full queue while the other waits for all jobs.
//
// Both wait on the same condition variable, queuePushCond, which a worker signals for one of them only.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "pool.h"

static POOL_ctx* pool;
static int runs[3];

static void job(void* which) { ++*(int*)which; }

static void* add(void* nothing) {
    for (int i = 1; i < 3; ++i) POOL_add(pool, job, &runs[i]);
    return nothing;
}

int main(void) {
    pool = POOL_create(1, 0);
    assert(pool != NULL);
    POOL_add(pool, job, &runs[0]);
    pthread_t other;
    pthread_create(&other, NULL, add, NULL);
    POOL_joinJobs(pool);
    pthread_join(other, NULL);
    POOL_free(pool);
    for (int i = 0; i < 3; ++i) assert(runs[i] == 1);
    return 0;
}
