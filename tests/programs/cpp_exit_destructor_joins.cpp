// norn: verified
// A global object stops its thread and joins it in its destructor, as it should.
#include <atomic>
#include <cassert>
#include <thread>

class Worker {
public:
    Worker() : thread_([this] { work(); }) {}
    ~Worker() {
        stop_ = true;
        thread_.join();
        assert(done_);
    }

private:
    void work() {
        while (!stop_) {
        }
        done_ = true;
    }
    std::atomic<bool> stop_{false};
    bool done_ = false;
    std::thread thread_;
};

static Worker& worker() {
    static Worker object;
    return object;
}

int main() { worker(); }
