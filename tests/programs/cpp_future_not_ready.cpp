// norn: failed assertion
// However long wait_for may last, the value need not be there.
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&promise] { promise.set_value(7); });
    assert(future.wait_for(std::chrono::hours(24)) == std::future_status::ready);  // found here
    thread.join();
}
