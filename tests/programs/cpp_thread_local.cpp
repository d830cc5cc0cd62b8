// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// thread_local objects: each thread has its own, made when first used; destroyed at its end in the opposite
// order, before thread-specific data.
#include <pthread.h>

#include <cassert>
#include <string>
#include <thread>

static std::string order;
static pthread_key_t key;

struct Noted {
    char name;
    explicit Noted(char c) : name(c) { order += name; }
    ~Noted() { order += static_cast<char>(name - 'a' + 'A'); }
};

static thread_local int counter = 5;

static void note_key(void*) { order += '!'; }

static void work() {
    pthread_setspecific(key, &key);
    thread_local const Noted first('a');
    thread_local const Noted second('b');
    assert(++counter == 6 && first.name == 'a' && second.name == 'b');
}

int main() {
    pthread_key_create(&key, note_key);
    counter = 100;
    std::thread(work).join();
    assert(order == "abBA!" && counter == 100);
    std::thread(work).join();
    assert(order == "abBA!abBA!");
}
