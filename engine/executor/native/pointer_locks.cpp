// std::atomic_load, atomic_store, atomic_exchange and atomic_compare_exchange of std::shared_ptr.
//
// libstdc++ does these under a mutex of its own, one of a pool, chosen by the address of the pointer: a local
// object of class std::_Sp_locker takes it and releases it. The pool lies inside the library, where it would
// not be reset if an execution ends while one is held. So the build renames the members of that class to
// these, with a pool of norn's: locks like any others. What happens under the lock is code of the header, and
// seen. Of two pointers the lock that comes first in the pool is taken first: there is no deadlock.
#include "executor/native/pointer_locks.h"

#include <cstring>

#include "executor/native/mutex.h"
#include "executor/native/scheduler.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

// libstdc++'s object: the numbers of the locks that are held.
struct Locker {
    unsigned char first;
    unsigned char second;
};
constexpr unsigned char none = UINT8_MAX;
static_assert(pointer_lock_count <= none);

unsigned char lock_of(const void* pointer) {
    return static_cast<unsigned char>((reinterpret_cast<std::uintptr_t>(pointer) * 0x9E37'79B9'7F4A'7C15U) >>
                                      32) %
           pointer_lock_count;
}

void take(unsigned char lock, std::uintptr_t site) {
    if (lock == none || !enter()) return;
    world().has_pointer_locks = true;
    take_word(&world().pointer_locks[lock], Operation::lock, site);
}

void give(unsigned char lock, std::uintptr_t site) {
    if (lock != none && enter()) give_word(&world().pointer_locks[lock], site);
}

}  // namespace

void forget_pointer_locks() {
    World& w = world();
    if (w.has_pointer_locks) std::memset(w.pointer_locks, 0, sizeof w.pointer_locks);
}

extern "C" {

void norn_pointer_lock_one(Locker* locker, const void* pointer) {
    *locker = {lock_of(pointer), none};
    take(locker->first, SITE);
}

void norn_pointer_lock_two(Locker* locker, const void* a, const void* b) {
    const unsigned char lock_a = lock_of(a);
    const unsigned char lock_b = lock_of(b);
    *locker = {lock_a < lock_b ? lock_a : lock_b, lock_a == lock_b  ? none
                                                  : lock_a < lock_b ? lock_b
                                                                    : lock_a};
    take(locker->first, SITE);
    take(locker->second, SITE);
}

void norn_pointer_unlock(Locker* locker) {
    give(locker->second, SITE);
    give(locker->first, SITE);
}
}

}  // namespace norn::native
