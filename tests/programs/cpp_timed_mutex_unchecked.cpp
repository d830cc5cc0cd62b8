// norn: failed mutex-misuse
// try_lock_for of which nobody asked whether it had the mutex.
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex mutex;
static int counter;

static void increment() {
    mutex.try_lock_for(std::chrono::hours(1));
    ++counter;
    mutex.unlock();  // found here
}

int main() {
    std::thread thread(increment);
    increment();
    thread.join();
}
