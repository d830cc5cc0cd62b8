// norn: verified
// classes: maz=2 rf=2 obs=2
// A wait with its predicate: the waiter comes before the notifier, and waits, or after it.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable ready;
static bool flag;

static void waiter() {
    std::unique_lock<std::mutex> lock(mutex);
    ready.wait(lock, [] { return flag; });
    assert(lock.owns_lock());
}

int main() {
    std::thread thread(waiter);
    {
        const std::lock_guard<std::mutex> guard(mutex);
        flag = true;
        ready.notify_all();
    }
    thread.join();
}
