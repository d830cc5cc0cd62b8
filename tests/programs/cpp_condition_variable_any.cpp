// norn: verified
// std::condition_variable_any with a shared lock, and with a timeout.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static std::condition_variable_any changed;
static bool ready;

int main() {
    std::thread thread([] {
        std::shared_lock<std::shared_mutex> lock(mutex);
        changed.wait(lock, [] { return ready; });
        assert(ready);
    });
    {
        const std::lock_guard<std::shared_mutex> lock(mutex);
        ready = true;
    }
    changed.notify_all();
    thread.join();
    std::unique_lock<std::shared_mutex> lock(mutex);
    assert(changed.wait_for(lock, std::chrono::seconds(1)) == std::cv_status::timeout);
}
