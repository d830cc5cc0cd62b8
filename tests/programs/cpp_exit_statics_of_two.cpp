// norn: failed assertion
// Two threads make static objects. They are destroyed in reverse order, whichever that is; one uses the
// other.
#include <cassert>
#include <thread>

static bool is_logging;
struct Log {
    Log() { is_logging = true; }
    ~Log() { is_logging = false; }
};
struct User {
    ~User() {
        assert(is_logging);  // found here
    }
};

int main() {
    std::thread one([] { static Log log; });
    std::thread two([] { static User user; });
    one.join();
    two.join();
}
