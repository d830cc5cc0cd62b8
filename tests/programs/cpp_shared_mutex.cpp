// norn: verified
// classes: maz=2 rf=2 obs=2
// A shared_lock and a unique_lock of a shared_mutex exclude each other: the two sections come in either
// order.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int left, right;

static void writer() {
    const std::unique_lock<std::shared_mutex> lock(mutex);
    ++left;
    ++right;
}

int main() {
    std::thread thread(writer);
    {
        const std::shared_lock<std::shared_mutex> lock(mutex);
        assert(left == right);
        assert(mutex.try_lock_shared());
        assert(!mutex.try_lock());
        mutex.unlock_shared();
    }
    thread.join();
    assert(mutex.try_lock());
    mutex.unlock();
}
