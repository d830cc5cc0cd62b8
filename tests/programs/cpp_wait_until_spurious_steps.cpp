// norn: failed assertion
// options: --spurious
// std::condition_variable: wait_until in a loop that counts in milliseconds. The count is no time of the
// clock.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;

int main() {
    using namespace std::chrono;
    constexpr milliseconds step(2);
    std::thread thread([] {
        std::lock_guard<std::mutex> guard(mutex);
        ready = true;
        changed.notify_one();
    });
    for (int i = 0; i < 4; i++) std::this_thread::sleep_for(seconds(1));
    std::unique_lock<std::mutex> lock(mutex);
    microseconds waited(0);
    while (!ready) {
        if (changed.wait_until(lock, system_clock::now() + milliseconds(1)) == std::cv_status::timeout)
            continue;
        waited += step;
        assert(waited < 100 * step);
    }
    lock.unlock();
    thread.join();
}
