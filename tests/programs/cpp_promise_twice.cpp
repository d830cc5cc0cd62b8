// norn: failed exception
// Two threads keep the same promise: the second one meets an exception that it does not catch.
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    std::thread first([&promise] { promise.set_value(1); });
    std::thread second([&promise] { promise.set_value(2); });
    first.join();
    second.join();
}
