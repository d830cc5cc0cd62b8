// zstd's thread pool: every job that was added runs exactly once, before POOL_joinJobs returns, and the pool
// can be taken down in any state.
#include <assert.h>
#include <stddef.h>

#include "pool.h"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef QUEUE
#define QUEUE 1
#endif
#ifndef JOBS
#define JOBS 2
#endif

static int runs[JOBS];

static void job(void* which) { ++*(int*)which; }

int main(void) {
    POOL_ctx* const pool = POOL_create(THREADS, QUEUE);
    assert(pool != NULL);
    for (int i = 0; i < JOBS; ++i) POOL_add(pool, job, &runs[i]);
#ifdef JOIN
    POOL_joinJobs(pool);
    for (int i = 0; i < JOBS; ++i) assert(runs[i] == 1);
#endif
    POOL_free(pool);
    for (int i = 0; i < JOBS; ++i) assert(runs[i] == 1);
    return 0;
}
