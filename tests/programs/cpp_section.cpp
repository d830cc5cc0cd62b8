// norn: verified
// Sections of C++: their names are mangled, and an exception may leave them.
#include <cassert>
#include <stdexcept>
#include <thread>

static int first, second;

static void __VERIFIER_atomic_count(int amount) {
    first += amount;
    if (amount > 1) throw std::runtime_error("too many");
    second += amount;
}

int main() {
    const auto work = [] {
        try {
            __VERIFIER_atomic_count(1);
            __VERIFIER_atomic_count(2);
            assert(false);
        } catch (const std::runtime_error&) {
            second += 2;
        }
    };
    std::thread one(work);
    std::thread other(work);
    one.join();
    other.join();
    assert(first == 6 && second == 6);
    return 0;
}
