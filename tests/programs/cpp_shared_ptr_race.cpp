// norn: failed use-after-free
// One thread copies a shared pointer while another replaces it, without the atomic functions.
#include <memory>
#include <thread>

static std::shared_ptr<int> shared = std::make_shared<int>(1);

int main() {
    std::thread writer([] { shared = std::make_shared<int>(2); });
    const std::shared_ptr<int> mine = shared;
    const int value = *mine;
    writer.join();
    return value == 0;
}
