// Spin locks: pthread_spin_*.
//
// A spin lock is a mutex without kinds: its word holds the owner (thread id + 1) or 0. A thread that would
// spin waits instead, which leads to the same states, and to a deadlock where it would spin for ever. What
// POSIX leaves undefined is a finding: locking one that the thread holds, unlocking one that it does not.
#include <pthread.h>

#include <cerrno>

#include "executor/native/faults.h"
#include "executor/native/leaks.h"
#include "executor/native/mutex.h"
#include "executor/native/sync_word.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

SyncWord& owner_of(pthread_spinlock_t* lock) {
    return *const_cast<SyncWord*>(reinterpret_cast<volatile SyncWord*>(lock));
}
SyncWord self() { return world().current->id + 1U; }

[[noreturn]] void misuse(const char* message, pthread_spinlock_t* lock) {
    fail("mutex-misuse", message, reinterpret_cast<std::uintptr_t>(lock));
}

}  // namespace

extern "C" {

int pthread_spin_init(pthread_spinlock_t* lock, int) {
    if (enter()) {
        WordEvent event(owner_of(lock), {Operation::object_init}, SITE);
        event.leave(0);
    }
    owner_of(lock) = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t* lock) {
    if (!enter()) return 0;
    WordEvent event(owner_of(lock), {Operation::object_destroy}, SITE);
    if (owner_of(lock) != 0) misuse("a locked spin lock is destroyed", lock);
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t* lock) {
    if (!enter()) return 0;
    if (owner_of(lock) == self()) misuse("a thread locks a spin lock that it holds already", lock);
    take_word(&owner_of(lock), Operation::lock, SITE);
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t* lock) {
    if (!enter()) return 0;
    WordEvent event(owner_of(lock), {Operation::trylock, Condition::equals, 0}, SITE);
    if (!event.holds()) return EBUSY;
    event.leave(self());
    note_locked(&owner_of(lock));
    return 0;
}

int pthread_spin_unlock(pthread_spinlock_t* lock) {
    if (!enter()) return 0;
    if (owner_of(lock) != self()) misuse("a thread unlocks a spin lock that it does not hold", lock);
    give_word(&owner_of(lock), SITE);
    return 0;
}
}

}  // namespace norn::native
