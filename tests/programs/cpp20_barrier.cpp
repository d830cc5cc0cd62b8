// norn: verified
// options: -std=gnu++20
// std::barrier with a function for the end of each phase, which runs once while all wait.
#include <barrier>
#include <cassert>
#include <thread>

static int phases;
static int value[2];

static void count() noexcept {
    assert(value[0] == phases + 1 && value[1] == phases + 1);
    ++phases;
}

static std::barrier barrier(2, count);

static void work(int me) {
    for (int phase = 1; phase <= 2; ++phase) {
        value[me] = phase;
        barrier.arrive_and_wait();
        assert(phases == phase);
    }
}

int main() {
    std::thread thread(work, 1);
    work(0);
    thread.join();
}
