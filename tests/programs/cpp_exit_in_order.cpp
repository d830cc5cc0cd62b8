// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// What belongs to main's thread goes first, then static objects in reverse order, then destructor functions.
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <string>

static int step;

struct Noted {
    explicit Noted(int given) : place(given) {}
    ~Noted() { assert(++step == place); }
    int place;
};

static Noted global(6);
static Noted& local() {
    static Noted object(5);
    return object;
}
static Noted& local_of_local() {
    static Noted object(3);
    return object;
}
thread_local Noted of_thread(1);
static std::string text = "longer than what fits into the object itself";

__attribute__((destructor)) static void last() { assert(++step == 7); }

int main() {
    assert(of_thread.place == 1 && local().place == 5);
    std::atexit([] { assert(++step == 4); });
    std::atexit([] {
        assert(++step == 2);
        local_of_local();  // made last, it is destroyed first
    });
    std::cout << text << step << '\n';
    return 0;
}
