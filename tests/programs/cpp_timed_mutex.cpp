// norn: verified
// classes: maz=4 rf=4
// std::timed_mutex and std::recursive_timed_mutex: got in time or not.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static std::timed_mutex mutex;
static int counter;

static bool increment() {
    if (!mutex.try_lock_for(1s)) return false;
    ++counter;
    mutex.unlock();
    return true;
}

int main() {
    std::recursive_timed_mutex own;
    assert(own.try_lock_for(1ms) && own.try_lock_until(std::chrono::system_clock::now()));
    own.unlock();
    own.unlock();

    bool other = false;
    std::thread thread([&other] { other = increment(); });
    bool mine = false;
    if (std::unique_lock<std::timed_mutex> lock{mutex, std::chrono::steady_clock::now() + 1s}) {
        ++counter;
        mine = true;
    }
    thread.join();
    assert(counter == mine + other && counter >= 1);
}
