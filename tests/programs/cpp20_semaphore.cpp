// norn: verified
// options: -std=gnu++20
// Semaphores of the library, each with one thread that takes from it: two that hand over, one with a timeout.
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

static std::binary_semaphore asked(0), answered(0);
static std::counting_semaphore<4> items(0);
static int value;

int main() {
    std::thread thread([] {
        asked.acquire();
        ++value;
        answered.release();
        items.release(2);
    });
    value = 1;
    asked.release();
    answered.acquire();
    assert(value == 2);
    const bool in_time = items.try_acquire_for(std::chrono::seconds(1));
    thread.join();
    assert(items.try_acquire() && items.try_acquire() == !in_time);
}
