// norn: failed deadlock
// Nested guards in opposite orders: what std::lock and std::scoped_lock avoid.
#include <mutex>
#include <thread>

static std::mutex first, second;

static void backwards() {
    const std::lock_guard<std::mutex> outer(second);
    const std::lock_guard<std::mutex> inner(first);
}

int main() {
    std::thread thread(backwards);
    {
        const std::lock_guard<std::mutex> outer(first);
        const std::lock_guard<std::mutex> inner(second);
    }
    thread.join();
}
