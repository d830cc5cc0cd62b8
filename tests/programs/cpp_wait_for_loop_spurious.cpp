// norn: verified
// options: --spurious
// std::condition_variable: wait_for in a loop.
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
    while (!ready) changed.wait_for(lock, std::chrono::milliseconds(10));
    lock.unlock();
    thread.join();
}
