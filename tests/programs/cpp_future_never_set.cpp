// norn: failed deadlock
// The promise lives on, but nobody keeps it.
#include <future>
#include <thread>

int main() {
    std::promise<void> promise;
    std::thread thread([&promise] {
        promise.get_future().wait();  // found here
    });
    thread.join();
}
