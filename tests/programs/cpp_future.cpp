// norn: verified
// A promise kept by another thread: the future is waited for, and what was written before is seen.
#include <cassert>
#include <future>
#include <thread>

static int side;

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&promise] {
        side = 1;
        promise.set_value(7);
    });
    assert(future.get() == 7 && side == 1);
    assert(!future.valid());
    thread.join();
}
