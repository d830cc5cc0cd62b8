// norn: failed assertion
// Two asynchronous functions lose an update.
#include <cassert>
#include <future>

static int counter;

int main() {
    std::future<void> first = std::async(std::launch::async, [] { ++counter; });
    std::future<void> second = std::async(std::launch::async, [] { ++counter; });
    first.get();
    second.get();
    assert(counter == 2);  // found here
}
