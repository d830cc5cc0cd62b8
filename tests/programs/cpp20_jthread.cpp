// norn: verified
// options: -std=gnu++20
// A jthread is told to stop, and joined, when it goes out of scope.
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

static std::atomic<int> stopped;

int main() {
    {
        const std::jthread thread([](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
            }
            stopped = 1;
        });
    }
    assert(stopped == 1);
}
