// norn: verified
// options: -std=gnu++20
// std::atomic_flag as an event.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag done;
static int value;

int main() {
    std::thread thread([] {
        value = 42;
        done.test_and_set();
        done.notify_one();
    });
    done.wait(false);
    assert(done.test() && value == 42);
    thread.join();
}
