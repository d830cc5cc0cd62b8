// Initialisation of function-local static variables: __cxa_guard_*.
//
// The guard is 8 bytes: the first is 1 once the variable is initialised (the compiler tests it before it
// calls these); the last four hold the thread that initialises, or 0: a lock like a mutex. A thread that
// comes while another one initialises waits, and looks at the first byte again when it has the lock.
#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/mutex.h"
#include "executor/native/scheduler.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

char* lock_of(char* guard) { return guard + 4; }

}  // namespace

extern "C" {

int __cxa_guard_acquire(char* guard) {
    if (!enter()) return *guard == 0 ? 1 : 0;
    if (*reinterpret_cast<std::uint32_t*>(lock_of(guard)) == world().current->id + 1U)
        fail("deadlock", "the initialisation of a static variable needs the variable itself");
    take_word(lock_of(guard), Operation::lock, SITE);
    range_access(guard, 1, Operation::load, SITE, Order::acquire);
    if (*guard == 0) return 1;
    give_word(lock_of(guard), SITE);
    return 0;
}

void __cxa_guard_release(char* guard) {
    range_access(guard, 1, Operation::store, SITE, Order::release);
    *guard = 1;
    if (enter()) give_word(lock_of(guard), SITE);
}

void __cxa_guard_abort(char* guard) {
    if (enter()) give_word(lock_of(guard), SITE);
}
}

}  // namespace norn::native
