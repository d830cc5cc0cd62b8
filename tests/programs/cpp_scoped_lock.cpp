// norn: verified
// classes: maz=3 rf=3 obs=3
// scoped_lock takes the first mutex and tries the second one. That succeeds before or after the section of
// main; within, it gives up the first one, waits for the second one and tries the first one: three classes.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex first, second;
static int total;

static void both() {
    const std::scoped_lock guard(first, second);
    ++total;
}

int main() {
    std::thread thread(both);
    {
        const std::lock_guard<std::mutex> guard(second);
        ++total;
    }
    thread.join();
    assert(total == 2);
}
