// norn: failed exception
// An exception must not leave a handler, although somebody further up would catch it.
#include <cstdlib>

int main() {
    std::atexit([] { throw 1; });  // found here
    try {
        std::exit(0);
    } catch (int) {
    }
}
