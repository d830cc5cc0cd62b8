// norn: failed deadlock
// options: -std=gnu++20
// Who is told of a value that is gone again by then goes on waiting.
#include <atomic>
#include <thread>

static std::atomic<int> word;

int main() {
    std::thread thread([] {
        word = 1;
        word.notify_one();
        word = 0;
    });
    word.wait(0);  // found here
    thread.join();
}
