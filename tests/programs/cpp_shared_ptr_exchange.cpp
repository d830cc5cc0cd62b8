// norn: verified
// Two threads exchange a shared pointer, which libstdc++ does under a lock: each gets what the other left, or
// the first one; a comparison that fails brings the current one.
#include <cassert>
#include <memory>
#include <thread>

static std::shared_ptr<int> shared = std::make_shared<int>(0);

static void put(int value, int& found) {
    found = *std::atomic_exchange(&shared, std::make_shared<int>(value));
}

int main() {
    int found[2] = {-1, -1};
    std::thread first(put, 1, std::ref(found[0]));
    std::thread second(put, 2, std::ref(found[1]));
    first.join();
    second.join();
    assert((found[0] == 0 && found[1] == 1) || (found[0] == 2 && found[1] == 0));
    auto expected = std::make_shared<int>(9);
    assert(!std::atomic_compare_exchange_strong(&shared, &expected, std::make_shared<int>(3)));
    assert(*expected == *std::atomic_load(&shared));
    assert(std::atomic_compare_exchange_strong(&shared, &expected, std::make_shared<int>(3)));
}
