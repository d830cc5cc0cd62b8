// norn: failed exception
// A function object that is empty throws from deep within the C++ library, whose functions keep no frame
// pointer.
#include <functional>
#include <thread>

static std::function<void()> job;

static void run() {
    job();  // found here
}

int main() {
    std::thread thread([] { run(); });
    thread.join();
}
