// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// std::call_once whose initialisation throws: it is to be done again, and then once. One thread: one class.
#include <cassert>
#include <mutex>
#include <stdexcept>

static std::once_flag once;
static int attempts, done;

static void initialise(bool fails) {
    ++attempts;
    if (fails) throw std::runtime_error("not yet");
    ++done;
}

int main() {
    int caught = 0;
    for (int k = 0; k < 2; ++k) {
        try {
            std::call_once(once, initialise, true);
        } catch (const std::runtime_error&) {
            ++caught;
        }
    }
    std::call_once(once, initialise, false);
    std::call_once(once, initialise, true);
    assert(caught == 2 && attempts == 3 && done == 1);
}
