// norn: failed assertion
// options: -std=gnu++20
// A semaphore with two permits is no mutex.
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> permits(2);
static int counter;

static void increment() {
    if (!permits.try_acquire()) return;
    ++counter;
    permits.release();
}

int main() {
    std::thread thread(increment);
    increment();
    thread.join();
    assert(counter == 2);  // found here
}
