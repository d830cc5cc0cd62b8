// norn: failed use-after-free
// A detached thread looks something up in a global map, whose nodes the destructor frees.
#include <map>
#include <thread>

static std::map<int, int> table{{1, 2}, {3, 4}};
static int found;

int main() {
    std::thread([] { found = table.find(3)->second; }).detach();
    return 0;
}
