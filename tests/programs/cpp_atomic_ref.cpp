// norn: verified
// Plain objects that are used atomically for a while, by std::atomic_ref where there is C++20, and otherwise
// by the builtin functions. Floating-point additions too.
#include <atomic>
#include <cassert>
#include <thread>

static long counter;
static double sum;

static void add() {
#if __cplusplus >= 202002L
    std::atomic_ref<long>(counter).fetch_add(1);
    std::atomic_ref<double>(sum).fetch_add(0.5);
#else
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    double old;
    double desired;
    __atomic_load(&sum, &old, __ATOMIC_SEQ_CST);
    do {
        desired = old + 0.5;
    } while (!__atomic_compare_exchange(&sum, &old, &desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
#endif
}

int main() {
    std::thread thread(add);
    add();
    thread.join();
    assert(counter == 2 && sum == 1.0);
}
