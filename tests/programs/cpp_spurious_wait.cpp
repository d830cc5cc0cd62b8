// norn: failed assertion
// options: --spurious
// std::condition_variable without a predicate: the first wait has one, the second has not.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static int stage;

static void advance() {
    for (int i = 0; i < 2; ++i) {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [i] { return stage == 2 * i; });
        ++stage;
        changed.notify_all();
    }
}

int main() {
    std::thread thread(advance);
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [] { return stage == 1; });
        ++stage;
        changed.notify_all();
        changed.wait(lock);
        assert(stage == 3);  // found here
    }
    thread.join();
}
