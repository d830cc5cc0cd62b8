// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// A recursive mutex, locked twice by each of two threads: only the outer locks are events.
#include <cassert>
#include <mutex>
#include <thread>

static std::recursive_mutex mutex;
static int depth;

static void nested(int levels) {
    const std::lock_guard<std::recursive_mutex> lock(mutex);
    ++depth;
    if (levels > 1) nested(levels - 1);
    assert(depth == 3 - levels);
    --depth;
}

int main() {
    std::thread first(nested, 2);
    std::thread second(nested, 2);
    first.join();
    second.join();
    assert(depth == 0);
}
