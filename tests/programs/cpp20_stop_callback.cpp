// norn: verified
// options: -std=gnu++20
// A wait that a request to stop ends. The last callback is called first: the other one may be gone by its
// turn.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any changed;

int main() {
    int calls = 0;
    {
        std::jthread thread([&calls](const std::stop_token& stop) {
            const std::stop_callback callback(stop, [&calls] { ++calls; });
            std::unique_lock<std::mutex> lock(mutex);
            assert(!changed.wait(lock, stop, [] { return false; }));
            assert(stop.stop_requested());
        });
        assert(thread.request_stop());
    }
    assert(calls <= 1);
}
