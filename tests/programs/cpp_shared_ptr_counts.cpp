// norn: verified
// Each thread has a shared pointer of its own to one object; the last one to go destroys it, once.
#include <cassert>
#include <memory>
#include <thread>

static int destroyed;

struct Object {
    ~Object() { ++destroyed; }
};

int main() {
    {
        auto first = std::make_shared<Object>();
        std::thread other([copy = first]() mutable { copy.reset(); });
        first.reset();
        other.join();
    }
    assert(destroyed == 1);
}
