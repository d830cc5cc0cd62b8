// norn: verified
// A packaged task leaves its result, or the exception that it ends with, to the future of another thread.
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

static int halve(int value) {
    if (value % 2 != 0) throw std::invalid_argument("odd");
    return value / 2;
}

int main() {
    std::packaged_task<int(int)> even(halve);
    std::packaged_task<int(int)> odd(halve);
    std::future<int> half = even.get_future();
    std::future<int> none = odd.get_future();
    std::thread first(std::move(even), 4);
    std::thread second(std::move(odd), 3);
    first.join();
    second.join();
    assert(half.get() == 2 && !half.valid());
    try {
        none.get();
    } catch (const std::invalid_argument&) {
        return 0;
    }
    assert(false);
}
