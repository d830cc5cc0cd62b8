// norn: failed exception
// The destructor of a std::thread that was neither joined nor detached ends the program.
#include <thread>

static void work() {}

int main() { const std::thread thread(work); }
