// norn: verified
// options: -std=gnu++20
// std::latch: nobody goes on before all have counted down.
#include <cassert>
#include <latch>
#include <thread>

static std::latch ready(2);
static int value[2];

int main() {
    std::thread thread([] {
        value[0] = 1;
        ready.arrive_and_wait();
        assert(value[1] == 1);
    });
    value[1] = 1;
    ready.count_down();
    ready.wait();
    assert(value[0] == 1 && ready.try_wait());
    thread.join();
}
