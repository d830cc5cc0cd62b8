// norn: failed deadlock
// options: -std=gnu++20
// A latch for three, and only two come.
#include <latch>
#include <thread>

static std::latch ready(3);

int main() {
    std::thread thread([] { ready.count_down(); });
    ready.arrive_and_wait();  // found here
    thread.join();
}
