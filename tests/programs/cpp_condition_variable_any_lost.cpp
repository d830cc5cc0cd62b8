// norn: failed deadlock
// The flag is set without the mutex: between the look at it and the wait the only notification gets lost.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any changed;
static std::atomic<bool> ready;

int main() {
    std::thread thread([] {
        std::unique_lock<std::mutex> lock(mutex);
        while (!ready) changed.wait(lock);  // found here
    });
    ready = true;
    changed.notify_one();
    thread.join();
}
