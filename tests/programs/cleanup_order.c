// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// pthread_exit, from a function further in: handlers run innermost first, those of callers too, then the
// destructors of thread-specific data.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char order[8];
static pthread_key_t key;

static void note(void* name) { strcat(order, name); }

static void inner(void) {
    pthread_cleanup_push(note, "2");
    pthread_cleanup_push(note, "1");
    pthread_exit(order);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
}

static void* work(void* unused) {
    pthread_setspecific(key, "4");
    pthread_cleanup_push(note, "3");
    inner();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void* result = NULL;
    pthread_key_create(&key, note);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    assert(result == order && strcmp(order, "1234") == 0);
    return 0;
}
