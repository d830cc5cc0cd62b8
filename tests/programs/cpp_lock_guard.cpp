// norn: verified
// classes: maz=2 rf=2 obs=2
// A lock_guard unlocks when an exception leaves its scope: two sections, 2! orders.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int total;

static void work() {
    try {
        const std::lock_guard<std::mutex> guard(mutex);
        ++total;
        throw total;
    } catch (int) {
    }
}

int main() {
    std::thread thread(work);
    work();
    thread.join();
    assert(total == 2);
    assert(mutex.try_lock());
    mutex.unlock();
}
