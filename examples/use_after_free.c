// norn: failed use-after-free
//
// Use after free across threads. The reader fetches the shared pointer and finds it set, but does not hold
// the object: the closer may take the pointer away and free the object before the reader looks into it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct session {
    int requests;
};

static _Atomic(struct session*) current;

static void* count_request(void* unused) {
    (void)unused;
    struct session* session = atomic_load(&current);
    if (session != NULL) {
        // Wrong: it may have been freed since the load
        session->requests = session->requests + 1;
    }
    return NULL;
}

static void* close_session(void* unused) {
    (void)unused;
    struct session* session = atomic_exchange(&current, NULL);
    free(session);
    return NULL;
}

int main(void) {
    pthread_t reader, closer;
    struct session* session = calloc(1, sizeof *session);
    atomic_store(&current, session);
    pthread_create(&reader, NULL, count_request, NULL);
    pthread_create(&closer, NULL, close_session, NULL);
    pthread_join(reader, NULL);
    pthread_join(closer, NULL);
    return 0;
}
