// norn: verified
// std::atomic of floating-point numbers: an addition by compare-exchange is never lost.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<double> sum{0.5};

static void add(double value) {
    double old = sum.load();
    while (!sum.compare_exchange_weak(old, old + value)) {
    }
}

int main() {
    std::thread first(add, 1.0);
    std::thread second(add, 2.0);
    first.join();
    second.join();
    assert(sum.load() == 3.5);
}
