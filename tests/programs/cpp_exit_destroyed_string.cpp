// norn: failed use-after-free
// A thread that is not joined reads a global string after its destructor has run, when another thread calls
// exit.
#include <cstdlib>
#include <string>
#include <thread>

static std::string text = "longer than what fits into the object itself";
static int letters;

int main() {
    std::thread reader([] {
        for (const char letter : text) letters += letter == 'x';
    });
    std::thread([] { std::exit(0); }).join();
    reader.join();
}
