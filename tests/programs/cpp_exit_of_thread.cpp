// norn: verified
// exit destroys what belongs to the thread that calls it, then static objects; nothing of other threads.
#include <cassert>
#include <cstdlib>
#include <thread>

static int step;

struct OfThread {
    bool expected = false;
    ~OfThread() { assert(expected && ++step == 1); }
};
thread_local OfThread object;

struct Static {
    ~Static() { assert(++step == 2); }
};
static Static last;

int main() {
    object.expected = false;  // of main: not destroyed
    std::thread([] {
        object.expected = true;
        std::exit(0);
    }).join();
    assert(false);
}
