// norn: verified
// classes: maz=3 rf=3 obs=3
// What a unique_lock is asked to do wrongly it refuses by an exception. It gets the mutex by trying before or
// after the other's section, and not within: three classes.
#include <cassert>
#include <mutex>
#include <system_error>
#include <thread>

static std::mutex mutex;

template <typename Action>
static bool refuses(std::errc expected, Action action) {
    try {
        action();
    } catch (const std::system_error& error) {
        return error.code() == expected;
    }
    return false;
}

static void holder() { const std::lock_guard<std::mutex> guard(mutex); }

int main() {
    std::thread thread(holder);
    std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
    if (lock.owns_lock()) {
        assert(refuses(std::errc::resource_deadlock_would_occur, [&] { lock.lock(); }));
        lock.unlock();
    }
    assert(refuses(std::errc::operation_not_permitted, [&] { lock.unlock(); }));
    thread.join();
}
