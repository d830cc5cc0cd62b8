// norn: failed deadlock
// options: -std=gnu++20
// The value changes, but nobody is told.
#include <atomic>
#include <thread>

static std::atomic<int> word;

int main() {
    std::thread thread([] { word = 1; });
    word.wait(0);  // found here
    thread.join();
}
