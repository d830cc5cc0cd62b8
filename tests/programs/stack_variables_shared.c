// norn: verified
// Threads work on local variables of others, which wait for them before they return: of main, of a function
// deep in another thread, and of one that is called again and again in the same place.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static void* add(void* counter) {
    atomic_fetch_add((atomic_int*)counter, 1);
    return NULL;
}

static int with_helper(int depth) {
    atomic_int counter = 0;
    pthread_t thread;
    if (depth > 0) return with_helper(depth - 1);
    pthread_create(&thread, NULL, add, &counter);
    atomic_fetch_add(&counter, 1);
    pthread_join(thread, NULL);
    return counter;
}

static void* nested(void* text) {
    assert(with_helper(2) == 2);
    strcpy(text, "done");
    return NULL;
}

int main(void) {
    char text[8] = "";
    pthread_t thread;
    pthread_create(&thread, NULL, nested, text);
    assert(with_helper(1) == 2);
    assert(with_helper(1) == 2);
    pthread_join(thread, NULL);
    assert(strcmp(text, "done") == 0);
    return 0;
}
