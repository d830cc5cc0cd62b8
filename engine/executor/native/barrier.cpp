// Barriers: pthread_barrier_*.
//
// The first word is how many threads have arrived. To arrive is a read-modify-write of it. The last one sets
// it back to 0 and wakes all others, whose going on is an event of its own, caused by that arrival: nobody
// passes before all have arrived, and in which order they go on is open. The last one is the one that gets
// PTHREAD_BARRIER_SERIAL_THREAD: POSIX leaves open which thread does, and glibc may take another one. More
// threads than it takes may use a barrier: then who goes with whom depends on the order of their arrival.
#include <pthread.h>

#include <cerrno>
#include <cstring>

#include "executor/native/faults.h"
#include "executor/native/sync_word.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

// Our view of a pthread_barrier_t.
struct Barrier {
    SyncWord arrived;
    std::uint32_t needed;
};

Barrier& view(pthread_barrier_t* barrier) { return *reinterpret_cast<Barrier*>(barrier); }

[[noreturn]] void misuse(const char* message, const Barrier& barrier) {
    fail("barrier-misuse", message, reinterpret_cast<std::uintptr_t>(&barrier));
}

}  // namespace

extern "C" {

int pthread_barrier_init(pthread_barrier_t* object, const pthread_barrierattr_t*, unsigned count) {
    if (count == 0) return EINVAL;
    Barrier& barrier = view(object);
    if (enter()) {
        WordEvent event(barrier.arrived, {Operation::object_init}, SITE);
        event.leave(0);
    }
    std::memset(static_cast<void*>(object), 0, sizeof *object);
    barrier.needed = count;
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t* object) {
    if (!enter()) return 0;
    Barrier& barrier = view(object);
    WordEvent event(barrier.arrived, {Operation::object_destroy}, SITE);
    if (barrier.arrived != 0) misuse("a barrier is destroyed while threads wait at it", barrier);
    barrier.needed = 0;
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t* object) {
    if (!enter()) return 0;
    World& w = world();
    Thread& me = *w.current;
    Barrier& barrier = view(object);
    const auto address = reinterpret_cast<std::uintptr_t>(object);
    WordEvent event(barrier.arrived, {Operation::barrier_wait}, SITE);
    if (barrier.needed == 0) misuse("a barrier is used that is not initialised", barrier);
    if (barrier.arrived + 1 == barrier.needed) {
        event.leave(0);
        for (std::size_t i = 0; i < w.threads; ++i) {
            if (w.thread[i].waiting_on != address) continue;
            w.thread[i].waiting_on = 0;
            w.thread[i].woken_by = event.index();
        }
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    event.leave(barrier.arrived + 1);
    me.waiting_on = address;
    enter();
    announce(Operation::barrier_wake, Access::none, address, sizeof barrier.arrived, no_location, SITE)
        .guarded = true;
    perform();
    return 0;
}
}

}  // namespace norn::native
