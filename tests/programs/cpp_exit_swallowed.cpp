// norn: failed exception
// A catch-all that does not throw on keeps the thread from ending: the process would be aborted.
#include <pthread.h>

static void* work(void* result) {
    try {
        pthread_exit(result);
    } catch (...) {
    }
    return result;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_join(thread, nullptr);
}
