// norn: verified
// An exception caught in one thread is thrown again in another; each thread counts its own uncaught ones.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

static std::exception_ptr caught;

struct Counting {
    int expected;
    ~Counting() { assert(std::uncaught_exceptions() == expected); }
};

static void work() {
    try {
        const Counting during_unwinding{1};
        throw std::runtime_error("from the thread");
    } catch (...) {
        caught = std::current_exception();
    }
    assert(std::uncaught_exceptions() == 0);
}

int main() {
    std::thread thread(work);
    try {
        const Counting own{1};
        throw 1;
    } catch (int) {
    }
    thread.join();
    try {
        std::rethrow_exception(caught);
    } catch (const std::runtime_error& error) {
        assert(error.what() == std::string("from the thread"));
        return 0;
    }
    assert(false);
}
