// norn: verified
// The free functions for shared pointers: one is read while another thread replaces it, and lives as long as
// somebody has it.
#include <cassert>
#include <memory>
#include <thread>

static std::shared_ptr<int> shared = std::make_shared<int>(1);

int main() {
    std::thread writer([] { std::atomic_store(&shared, std::make_shared<int>(2)); });
    const std::shared_ptr<int> mine = std::atomic_load(&shared);
    assert(*mine == 1 || *mine == 2);
    writer.join();
    assert(*std::atomic_load(&shared) == 2);
}
