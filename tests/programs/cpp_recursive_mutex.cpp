// norn: verified
// classes: maz=2 rf=2 obs=2
// A recursive_mutex is taken again by its owner: two sections, 2! orders.
#include <cassert>
#include <mutex>
#include <thread>

static std::recursive_mutex mutex;
static int total;

static void add(int number) {
    const std::lock_guard<std::recursive_mutex> guard(mutex);
    if (number == 0) return;
    ++total;
    add(number - 1);
}

int main() {
    std::thread thread(add, 2);
    add(2);
    thread.join();
    assert(total == 4);
}
