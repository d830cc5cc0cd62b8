// Read-write locks: pthread_rwlock_*.
//
// The first word is 0 if nobody has the lock, the number of readers, or the writer (its id + 1) with the
// highest bit set. To read-lock is guarded by "no writer", to write-lock by "free"; the try forms do the same
// without waiting. So whoever can get the lock may get it: a reader may pass a writer that waits, as with the
// usual locks of Linux, and a writer may pass readers that wait. Nobody is preferred, which allows more
// orders than either preference would. (Only the deadlock of a thread that read-locks once more while a
// writer waits, which there is if writers are preferred, is not found.)
//
// POSIX's error codes where it has them: EDEADLK for a writer that locks again, EBUSY for the try forms. What
// it leaves undefined is a finding, as far as it shows: unlocking what nobody has or another thread has for
// writing, destroying what somebody has, using what was destroyed. A thread that unlocks for reading what
// only others have for reading is not noticed: who the readers are is not known. A timed wait gets the lock
// if it can at some moment, and gives up if it cannot: as the try forms do, which may come at any moment.
#include <pthread.h>

#include <cerrno>
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/leaks.h"
#include "executor/native/sync_word.h"
#include "executor/native/virtual_time.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

constexpr SyncWord writing = 0x8000'0000;
constexpr std::uint32_t is_destroyed = 0xDEAD'10CC;

// Our view of a pthread_rwlock_t; the static initialisers leave these words 0.
struct RwLock {
    SyncWord state;
    std::uint32_t destroyed;
};

RwLock& view(pthread_rwlock_t* lock) { return *reinterpret_cast<RwLock*>(lock); }
SyncWord self() { return writing | (world().current->id + 1U); }

[[noreturn]] void misuse(const char* message, const RwLock& lock) {
    fail("rwlock-misuse", message, reinterpret_cast<std::uintptr_t>(&lock));
}

void require_usable(const RwLock& lock) {
    if (lock.destroyed == is_destroyed) misuse("a destroyed read-write lock is used", lock);
}

// Takes the lock by an operation, if its condition holds.
int take(pthread_rwlock_t* object, const WordOperation& operation, std::uintptr_t site) {
    if (!enter()) return 0;
    RwLock& lock = view(object);
    require_usable(lock);
    if (lock.state == self()) return operation.guarded ? EDEADLK : EBUSY;
    const bool reads = operation.condition == Condition::below;
    WordEvent event(lock.state, operation, site);
    require_usable(lock);  // it may have been destroyed while the thread waited
    if (!event.holds()) return EBUSY;
    event.leave(reads ? lock.state + 1 : self());
    note_locked(&lock);
    return 0;
}

int take_until(pthread_rwlock_t* object, const WordOperation& operation, const timespec* deadline,
               std::uintptr_t site) {
    if (enter() && view(object).state == self()) return EDEADLK;
    const int code = take(object, operation, site);
    if (code != EBUSY) return code;
    range_access(deadline, sizeof *deadline, Operation::load, site);
    return time_out(deadline);
}

constexpr WordOperation try_to_read{Operation::rwlock_try_read, Condition::below, writing};
constexpr WordOperation try_to_write{Operation::rwlock_try_write, Condition::equals, 0};

}  // namespace

extern "C" {

int pthread_rwlock_init(pthread_rwlock_t* object, const pthread_rwlockattr_t*) {
    RwLock& lock = view(object);
    if (enter()) {
        WordEvent event(lock.state, {Operation::object_init}, SITE);
        event.leave(0);
    }
    std::memset(static_cast<void*>(object), 0, sizeof *object);
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t* object) {
    if (!enter()) return 0;
    RwLock& lock = view(object);
    require_usable(lock);
    WordEvent event(lock.state, {Operation::object_destroy}, SITE);
    if (lock.state != 0) misuse("a locked read-write lock is destroyed", lock);
    lock.destroyed = is_destroyed;
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
    return take(lock, {Operation::rwlock_read, Condition::below, writing, true}, SITE);
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) { return take(lock, try_to_read, SITE); }
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* deadline) {
    return take_until(lock, try_to_read, deadline, SITE);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t, const timespec* deadline) {
    return take_until(lock, try_to_read, deadline, SITE);
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
    return take(lock, {Operation::rwlock_write, Condition::equals, 0, true}, SITE);
}
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) { return take(lock, try_to_write, SITE); }
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* deadline) {
    return take_until(lock, try_to_write, deadline, SITE);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t, const timespec* deadline) {
    return take_until(lock, try_to_write, deadline, SITE);
}

int pthread_rwlock_unlock(pthread_rwlock_t* object) {
    if (!enter()) return 0;
    RwLock& lock = view(object);
    require_usable(lock);
    WordEvent event(lock.state, {Operation::rwlock_unlock}, SITE);
    if (lock.state == 0) misuse("a thread unlocks a read-write lock that nobody holds", lock);
    if ((lock.state & writing) != 0 && lock.state != self())
        misuse("a thread unlocks a read-write lock that another one holds for writing", lock);
    event.leave(lock.state == self() ? 0 : lock.state - 1);
    note_unlocked(&lock);
    return 0;
}
}

}  // namespace norn::native
