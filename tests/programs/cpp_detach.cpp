// norn: verified
// A detached thread has ended before main looks, or has not; it may not use what main has on its stack.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> done;

int main() {
    std::thread thread([] { done = 1; });
    thread.detach();
    assert(!thread.joinable());
    const int seen = done;
    assert(seen == 0 || seen == 1);
}
