// norn: cannot check pthread_cond_clockwait
// Timed waits are not modelled.
#include <chrono>
#include <condition_variable>
#include <mutex>

int main() {
    std::mutex mutex;
    std::condition_variable ready;
    std::unique_lock<std::mutex> lock(mutex);
    ready.wait_for(lock, std::chrono::seconds(1));
}
