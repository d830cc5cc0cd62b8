// norn: failed exception
// An exception that leaves a thread's function ends the program.
#include <stdexcept>
#include <thread>

static void work() { throw std::runtime_error("nobody catches this"); }

int main() {
    std::thread thread(work);
    thread.join();
}
