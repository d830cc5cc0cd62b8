// norn: verified
// std::call_once by two threads, and the first attempt throws: the other thread, which may be waiting for it
// already, makes the second one.
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int attempts, done;

static void initialise() {
    if (++attempts == 1) throw attempts;
    ++done;
}

static void use() {
    try {
        std::call_once(once, initialise);
        assert(done == 1);
    } catch (int) {
    }
}

int main() {
    std::thread thread(use);
    use();
    thread.join();
    assert(attempts == 2 && done == 1);
}
