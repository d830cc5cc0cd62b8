// norn: failed livelock
// options: -std=gnu++20
// The thread is joined by hand before anybody asks it to stop.
#include <stop_token>
#include <thread>

int main() {
    std::jthread thread([](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
        }
    });
    thread.join();
}
