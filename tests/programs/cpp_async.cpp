// norn: verified
// std::async in threads of its own: results, and an exception, come out of the futures.
#include <cassert>
#include <future>
#include <stdexcept>

static int halve(int value) {
    if (value % 2 != 0) throw std::invalid_argument("odd");
    return value / 2;
}

int main() {
    std::future<int> even = std::async(std::launch::async, halve, 4);
    std::future<int> odd = std::async(std::launch::async, halve, 3);
    assert(even.get() == 2);
    try {
        odd.get();
    } catch (const std::invalid_argument&) {
        return 0;
    }
    assert(false);
}
