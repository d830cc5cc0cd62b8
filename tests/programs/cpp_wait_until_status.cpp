// norn: verified
// Without a predicate the wait says whether the time is over; whoever was told before knows that it is so.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;

static void make_ready() {
    const std::lock_guard<std::mutex> lock(mutex);
    ready = true;
    changed.notify_all();
}

int main() {
    std::thread thread(make_ready);
    {
        const auto deadline = std::chrono::system_clock::now() + std::chrono::minutes(1);
        std::unique_lock<std::mutex> lock(mutex);
        if (!ready && changed.wait_until(lock, deadline) == std::cv_status::no_timeout)
            assert(ready);
        else
            assert(ready || std::chrono::system_clock::now() >= deadline);
    }
    thread.join();
}
