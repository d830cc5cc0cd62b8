// norn: verified
// options: --spurious
// std::condition_variable: a wait with a predicate stands wake-ups without a reason.
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
        changed.wait(lock, [] { return ready; });
        assert(ready);
    }
    other.join();
    return 0;
}
