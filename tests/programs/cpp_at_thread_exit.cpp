// norn: verified
// std::notify_all_at_thread_exit: who is woken by it finds the thread_local objects destroyed.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;
static int destroyed;

struct Noted {
    int value = 1;
    ~Noted() { destroyed += value; }
};

static void work() {
    thread_local Noted noted;
    std::unique_lock<std::mutex> lock(mutex);
    ready = noted.value == 1;
    std::notify_all_at_thread_exit(changed, std::move(lock));
}

int main() {
    std::thread(work).detach();
    std::unique_lock<std::mutex> lock(mutex);
    while (!ready) changed.wait(lock);
    assert(destroyed == 1);
}
