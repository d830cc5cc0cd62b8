// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// pthread_exit runs the destructors of the thread's objects, the thread_local ones included, before a join
// returns.
#include <pthread.h>

#include <cassert>
#include <string>

static std::string order;

struct Noted {
    char name;
    ~Noted() { order += name; }
};

static void* work(void*) {
    thread_local const Noted of_thread{'t'};
    const Noted outer{of_thread.name == 't' ? 'o' : '?'};
    const Noted inner{'i'};
    pthread_exit(nullptr);
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_join(thread, nullptr);
    assert(order == "iot");
}
