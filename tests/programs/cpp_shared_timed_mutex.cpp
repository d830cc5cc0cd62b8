// norn: verified
// std::shared_timed_mutex without its timed functions: readers together, a writer alone.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_timed_mutex mutex;
static int value;

static void write_it() {
    const std::lock_guard<std::shared_timed_mutex> lock(mutex);
    ++value;
    ++value;
}

int main() {
    std::thread writer(write_it);
    {
        const std::shared_lock<std::shared_timed_mutex> lock(mutex);
        const std::shared_lock<std::shared_timed_mutex> again(mutex);
        assert(value == 0 || value == 2);
        assert(!mutex.try_lock());
    }
    writer.join();
    assert(mutex.try_lock_shared());
    mutex.unlock_shared();
}
