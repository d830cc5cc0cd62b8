// norn: verified
// classes: maz=3 rf=3 obs=3 rvf=3
// What a constructor before main has made for main's thread goes first; every execution finds it whole again.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<int> counter;
static int gone;

struct OfThread {
    std::unique_ptr<int> value = std::make_unique<int>(7);
    ~OfThread() { assert(*value == 7 && gone++ == 0); }
};
thread_local OfThread of_thread;

struct Global {
    std::unique_ptr<int> value = std::make_unique<int>(*of_thread.value);
    ~Global() { assert(*value == 7 && gone++ == 1); }
};
static Global global;

int main() {
    std::thread other([] {
        counter = 1;
        counter = 2;
    });
    const int seen = counter;
    other.join();
    assert(seen <= 2 && *global.value == 7);
}
