// norn: verified
// classes: maz=2 rf=2 obs=2
// std::lock with deferred unique_locks; both threads name the mutexes in the same order, so who gets the
// first one decides everything.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex first, second;
static int total;

static void both() {
    std::unique_lock<std::mutex> one(first, std::defer_lock);
    std::unique_lock<std::mutex> two(second, std::defer_lock);
    std::lock(one, two);
    assert(one.owns_lock() && two.owns_lock());
    ++total;
}

int main() {
    std::thread thread(both);
    both();
    thread.join();
    assert(total == 2);
}
