// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Variables of C++: inline, of templates, of functions, with constructors and virtual functions; none is
// missed.
#include <cassert>
#include <string>
#include <thread>
#include <vector>

inline short shared_by_files[3] = {1, 2, 3};
template <typename T>
T zero_of{};
static std::string text("a text that is too long for the object itself");
static const char* const names[] = {"one", "two", "three"};
thread_local char own[3];

struct Base {
    virtual ~Base() = default;
    virtual int value() const { return 1; }
};
struct Derived : Base {
    int value() const override { return number; }
    int number = 2;
};
static Derived derived;

static int count() {
    static std::vector<int> calls;
    static char marks[7];
    calls.push_back(1);
    marks[6] = 1;
    own[2] = 1;
    zero_of<char> = 1;
    zero_of<long> += 2;
    shared_by_files[2] = 5;
    text += names[2];
    return static_cast<int>(calls.size()) + static_cast<const Base&>(derived).value();
}

int main() {
    assert(count() == 3);
    std::thread thread([] { assert(count() == 4); });
    thread.join();
    assert(count() == 5 && text.size() == 45 + 15);
}
