// norn: verified
// Two threads wait for the same value.
#include <cassert>
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    const std::shared_future<int> value = promise.get_future().share();
    std::thread first([value] { assert(value.get() == 7); });
    std::thread second([value] { assert(value.get() == 7); });
    promise.set_value(7);
    first.join();
    second.join();
}
