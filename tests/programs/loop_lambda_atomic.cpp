// norn: verified
// An atomic on the stack of main, captured by the threads' lambdas.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
    std::atomic<bool> ready{false}, done{false};
    int value = 0;
    std::thread worker([&] {
        while (!ready.load()) std::this_thread::yield();
        value = 2;
        done = true;
    });
    ready = true;
    while (!done) {
    }
    assert(value == 2);
    worker.join();
}
