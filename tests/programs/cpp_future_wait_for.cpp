// norn: verified
// wait_for says whether there is a value by now; a deferred function runs when it is asked for.
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&promise] { promise.set_value(7); });
    const std::future_status status = future.wait_for(std::chrono::seconds(1));
    assert(status == std::future_status::ready || status == std::future_status::timeout);
    thread.join();
    assert(future.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
    assert(future.get() == 7);

    int runs = 0;
    std::future<void> later = std::async(std::launch::deferred, [&runs] { ++runs; });
    assert(later.wait_for(std::chrono::hours(1)) == std::future_status::deferred && runs == 0);
    later.get();
    assert(runs == 1);
}
