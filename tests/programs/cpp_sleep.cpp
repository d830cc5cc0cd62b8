// norn: failed assertion
// sleep_for and sleep_until take time, but order nothing.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

static std::atomic<int> done;

int main() {
    std::thread thread([] { done = 1; });
    const auto start = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(10s);
    std::this_thread::sleep_until(start + 20s);
    assert(std::chrono::steady_clock::now() - start >= 20s);
    assert(done == 1);  // found here
    thread.join();
}
