// norn: failed assertion
//
// A work queue. drain() waits until all jobs are done: until none is queued and nobody works at one. Every
// access is under the mutex, and still it can return too early: a worker takes a job in one critical section
// and counts itself as busy in the next. In between, the job is neither queued nor worked at. work_queue.c
// has it right.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { workers = 2, jobs = 2, none = -1 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t job_or_close = PTHREAD_COND_INITIALIZER;
static pthread_cond_t all_done = PTHREAD_COND_INITIALIZER;
static int queue[jobs];
static int queued;  // jobs that nobody has taken
static int busy;    // workers at a job
static int total;   // sum of the results so far
static bool closed;

static void submit(int job) {
    pthread_mutex_lock(&mutex);
    queue[queued++] = job;
    pthread_cond_signal(&job_or_close);
    pthread_mutex_unlock(&mutex);
}

static int take(void) {
    pthread_mutex_lock(&mutex);
    while (queued == 0 && !closed) pthread_cond_wait(&job_or_close, &mutex);
    int job = queued > 0 ? queue[--queued] : none;
    pthread_mutex_unlock(&mutex);
    return job;
}

static void begin(void) {
    pthread_mutex_lock(&mutex);
    ++busy;
    pthread_mutex_unlock(&mutex);
}

static void finish(int result) {
    pthread_mutex_lock(&mutex);
    total += result;
    if (--busy == 0 && queued == 0) pthread_cond_signal(&all_done);
    pthread_mutex_unlock(&mutex);
}

static void* work(void* unused) {
    (void)unused;
    int job;
    while ((job = take()) != none) {
        begin();
        finish(job * job);
    }
    return NULL;
}

static int drain(void) {
    pthread_mutex_lock(&mutex);
    while (queued > 0 || busy > 0) pthread_cond_wait(&all_done, &mutex);
    int result = total;
    pthread_mutex_unlock(&mutex);
    return result;
}

static void close_queue(void) {
    pthread_mutex_lock(&mutex);
    closed = true;
    pthread_cond_broadcast(&job_or_close);
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    pthread_t threads[workers];
    for (int k = 0; k < workers; ++k) pthread_create(&threads[k], NULL, work, NULL);
    submit(3);
    submit(4);
    int sum = drain();
    assert(sum == 3 * 3 + 4 * 4);
    close_queue();
    for (int k = 0; k < workers; ++k) pthread_join(threads[k], NULL);
    return 0;
}
