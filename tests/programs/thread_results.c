// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// A join gets what the thread returned or gave to pthread_exit, however deep. The threads share nothing.
#include <assert.h>
#include <pthread.h>

static int results[2];

static void leave(int depth) {
    if (depth > 0) leave(depth - 1);
    pthread_exit(&results[1]);
}

static void* returns(void* argument) { return argument; }

static void* exits(void* argument) {
    leave(3);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    void* result = NULL;
    assert(pthread_create(&threads[0], NULL, returns, &results[0]) == 0);
    assert(pthread_create(&threads[1], NULL, exits, NULL) == 0);
    assert(pthread_join(threads[1], &result) == 0 && result == &results[1]);
    assert(pthread_join(threads[0], &result) == 0 && result == &results[0]);
    return 0;
}
