// norn: verified
// options: --spurious
// std::condition_variable: wait_for with a predicate.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;

int main() {
    std::thread thread([] {
        std::lock_guard<std::mutex> guard(mutex);
        ready = true;
        changed.notify_one();
    });
    std::unique_lock<std::mutex> lock(mutex);
    const bool found = changed.wait_for(lock, std::chrono::milliseconds(10), [] { return ready; });
    assert(found == ready);
    lock.unlock();
    thread.join();
}
