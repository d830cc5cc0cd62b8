// norn: verified
// classes: maz=4 rf=4
// A reader and a writer with timeouts: either may come first, and the other one too early or later.
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::shared_timed_mutex mutex;
static int value;

static void write_it() {
    const std::unique_lock<std::shared_timed_mutex> lock(mutex, 1s);
    if (!lock) return;
    ++value;
    ++value;
}

int main() {
    std::thread writer(write_it);
    {
        const std::shared_lock<std::shared_timed_mutex> lock(mutex, std::chrono::steady_clock::now() + 1s);
        if (lock) assert(value == 0 || value == 2);
    }
    writer.join();
}
