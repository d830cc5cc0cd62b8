// norn: failed assertion
// The answer of wait_for is not looked at.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;

int main() {
    std::thread thread([] {
        const std::lock_guard<std::mutex> lock(mutex);
        ready = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait_for(lock, std::chrono::hours(24), [] { return ready; });
        assert(ready);  // found here
    }
    thread.join();
}
