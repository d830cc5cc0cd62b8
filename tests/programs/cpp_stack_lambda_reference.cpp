// norn: failed use-after-return
// A lambda refers to a variable of the function that starts the thread, which does not wait for it.
#include <thread>

static std::thread start() {
    int counter = 0;
    std::thread thread([&counter] { ++counter; });  // found here
    return thread;
}

int main() { start().join(); }
