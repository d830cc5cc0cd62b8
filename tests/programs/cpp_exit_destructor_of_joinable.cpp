// norn: failed exception
// A global object has a thread that nobody has joined: the destructor of std::thread calls std::terminate.
#include <thread>

struct Owner {
    std::thread thread;
    ~Owner() {}  // found here
};
static Owner owner;

int main() {
    owner.thread = std::thread([] {});
    return 0;
}
