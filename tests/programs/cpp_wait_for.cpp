// norn: verified
// classes: maz=4 rf=4
// std::condition_variable::wait_for with a predicate: as cond_timedwait.c has it.
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
    changed.notify_one();
}

int main() {
    std::thread thread(make_ready);
    {
        std::unique_lock<std::mutex> lock(mutex);
        const bool in_time = changed.wait_for(lock, std::chrono::seconds(1), [] { return ready; });
        assert(in_time == ready);
    }
    thread.join();
}
