// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Cancellation unwinds: destructors, cleanup handlers and handlers that throw on run from the inside out,
// also while the thread waits on a condition variable, whose mutex it has again.
#include <pthread.h>

#include <cassert>
#include <string>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static std::string order;

struct Noted {
    char name;
    ~Noted() { order += name; }
};
struct Unlocking {
    ~Unlocking() {
        order += 'u';
        pthread_mutex_unlock(&mutex);
    }
};

static void note(void*) { order += 'h'; }

static void* work(void* result) {
    const Noted outer{'o'};
    pthread_cleanup_push(note, nullptr);
    try {
        pthread_mutex_lock(&mutex);
        const Unlocking unlocking;
        for (;;) pthread_cond_wait(&never, &mutex);
    } catch (...) {
        order += 'c';
        throw;
    }
    pthread_cleanup_pop(0);
    return result;
}

int main() {
    pthread_t thread;
    void* result = nullptr;
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && order == "ucho");
}
