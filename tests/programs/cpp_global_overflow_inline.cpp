// norn: failed global-overflow
// An array that is a member of a class template, and so in a section of its own.
#include <atomic>
#include <thread>

template <int size>
struct Slots {
    static inline int values[size];
    static inline std::atomic<int> next{0};
    static void put(int value) {
        values[next++] = value;  // found here
    }
};

int main() {
    std::thread first([] { Slots<2>::put(1); });
    std::thread second([] { Slots<2>::put(2); });
    Slots<2>::put(3);
    first.join();
    second.join();
}
