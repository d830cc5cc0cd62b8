// norn: verified
// With C++20: plain objects used atomically for a while, floating-point additions and atomic shared pointers.
// Without: the same by the functions that there are.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static long counter;
static double sum;

#if __cplusplus >= 202002L
static std::atomic<std::shared_ptr<int>> shared;
static void add() {
    std::atomic_ref<long>(counter).fetch_add(1);
    std::atomic_ref<double>(sum).fetch_add(0.5);
    shared.store(std::make_shared<int>(1));
}
static int found() { return *shared.load(); }
#else
static std::shared_ptr<int> shared;
static void add() {
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    double old;
    double desired;
    __atomic_load(&sum, &old, __ATOMIC_SEQ_CST);
    do {
        desired = old + 0.5;
    } while (!__atomic_compare_exchange(&sum, &old, &desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    std::atomic_store(&shared, std::make_shared<int>(1));
}
static int found() { return *std::atomic_load(&shared); }
#endif

int main() {
    std::thread thread(add);
    add();
    thread.join();
    assert(counter == 2 && sum == 1.0 && found() == 1);
}
