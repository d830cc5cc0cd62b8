// norn: verified
// A promise that is destroyed without a value: the future is told, and there is no second value.
#include <cassert>
#include <future>
#include <thread>
#include <utility>

int main() {
    std::promise<int> kept;
    std::promise<int> broken;
    std::future<int> value = kept.get_future();
    std::future<int> nothing = broken.get_future();
    std::thread thread(
        [](std::promise<int> first, std::promise<int>) {
            first.set_value(7);
            try {
                first.set_value(8);
                assert(false);
            } catch (const std::future_error&) {
            }
        },
        std::move(kept), std::move(broken));
    thread.join();
    assert(value.get() == 7);
    try {
        nothing.get();
        assert(false);
    } catch (const std::future_error& error) {
        assert(error.code() == std::future_errc::broken_promise);
    }
}
