// norn: failed deadlock
// options: -std=gnu++20
// One of two goes away after the first phase, without saying so.
#include <barrier>
#include <thread>

static std::barrier barrier(2);

int main() {
    std::thread thread([] { barrier.arrive_and_wait(); });
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();  // found here
    thread.join();
}
