// norn: verified
// classes: maz=2 rf=2 obs=2 rvf=2
// std::atomic of structs of 16 and 24 bytes: an exchange each, in either order.
#include <atomic>
#include <cassert>
#include <thread>

struct Two {
    long a, b;
};
struct Three {
    long a, b, c;
};

static std::atomic<Three> three{Three{0, 0, 0}};
static std::atomic<Two> two{Two{0, 0}};

static void put(long value, Three& found) { found = three.exchange(Three{value, value, value}); }

int main() {
    Three found[2];
    std::thread first(put, 1, std::ref(found[0]));
    std::thread second(put, 2, std::ref(found[1]));
    first.join();
    second.join();
    assert((found[0].a == 0 && found[1].a == 1) || (found[1].a == 0 && found[0].a == 2));
    Two expected{1, 1};
    assert(!two.compare_exchange_strong(expected, Two{3, 4}) && expected.a == 0);
    assert(two.compare_exchange_strong(expected, Two{3, 4}) && two.load().b == 4);
}
