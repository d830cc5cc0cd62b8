// norn: verified
// options: -std=gnu++20
// std::atomic::wait and notify, of a word and of other sizes: they wait until the value is another one.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> word;
static std::atomic<char> letter{'a'};
static int value;

int main() {
    std::thread thread([] {
        value = 42;
        word = 1;
        word.notify_one();
        letter.wait('a');
        assert(letter == 'b');
    });
    word.wait(0);
    assert(word == 1 && value == 42);
    letter = 'b';
    letter.notify_all();
    thread.join();
}
