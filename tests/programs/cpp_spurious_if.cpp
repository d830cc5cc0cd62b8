// norn: failed assertion
// options: --spurious
// std::condition_variable: a wait without a loop takes a wake-up without a reason for the real one.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;

int main() {
    std::thread other([] {
        const std::lock_guard lock(mutex);
        ready = true;
        changed.notify_one();
    });
    {
        std::unique_lock lock(mutex);
        if (!ready) changed.wait(lock);
        assert(ready);
    }
    other.join();
    return 0;
}
