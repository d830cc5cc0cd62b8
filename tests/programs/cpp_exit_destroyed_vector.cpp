// norn: failed use-after-free
// A detached thread works on a global vector, whose destructor runs when main returns.
#include <thread>
#include <vector>

static std::vector<int> numbers{1, 2, 3};

int main() {
    std::thread([] { numbers[1] = 5; }).detach();
    return 0;
}
