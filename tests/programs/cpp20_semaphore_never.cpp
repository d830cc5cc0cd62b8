// norn: failed deadlock
// options: -std=gnu++20
// Two are asked for, and one is given.
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> items(0);

int main() {
    std::thread thread([] { items.release(); });
    items.acquire();
    items.acquire();  // found here
    thread.join();
}
