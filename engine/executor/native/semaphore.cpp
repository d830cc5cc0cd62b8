// Unnamed semaphores: sem_*.
//
// The first word is the value. sem_wait is a read-modify-write guarded by "is not 0"; sem_trywait the same
// without waiting: if it fails it only reads. sem_post adds one; anybody may post, no owner is known. POSIX
// lets sem_wait be interrupted by a signal handler: there are none here, so that it never returns EINTR. It
// is a cancellation point. Semaphores shared between processes are taken for ordinary ones; named ones are
// refused. A wait with a timeout gets the semaphore if it is not 0 at some moment, and gives up if it is: as
// sem_trywait does, which may come at any moment.
#include <semaphore.h>

#include <cerrno>

#include "executor/native/access.h"
#include "executor/native/cancellation.h"
#include "executor/native/faults.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/sync_word.h"
#include "executor/native/virtual_time.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

constexpr SyncWord largest = 0x7FFF'FFFF;    // SEM_VALUE_MAX
constexpr SyncWord destroyed = 0xFFFF'FFFF;  // lets in whoever waits, who then finds out

SyncWord& value_of(sem_t* semaphore) { return *reinterpret_cast<SyncWord*>(semaphore); }

void require_usable(sem_t* semaphore) {
    if (value_of(semaphore) == destroyed)
        fail("semaphore-misuse", "a destroyed semaphore is used",
             reinterpret_cast<std::uintptr_t>(semaphore));
}

int fail_with(int code) {
    errno = code;
    return -1;
}

bool try_wait(sem_t* semaphore, std::uintptr_t site) {
    if (!enter()) return true;
    WordEvent event(value_of(semaphore), {Operation::sem_trywait, Condition::nonzero}, site);
    if (!event.holds()) return false;
    require_usable(semaphore);
    event.leave(value_of(semaphore) - 1);
    return true;
}

int wait_until(sem_t* semaphore, const timespec* deadline, std::uintptr_t site) {
    test_cancellation(site);
    if (try_wait(semaphore, site)) return 0;
    range_access(deadline, sizeof *deadline, Operation::load, site);
    return fail_with(time_out(deadline));
}

}  // namespace

extern "C" {

int sem_init(sem_t* semaphore, int, unsigned value) {
    if (value > largest) return fail_with(EINVAL);
    if (!enter()) {
        value_of(semaphore) = value;
        return 0;
    }
    WordEvent event(value_of(semaphore), {Operation::object_init}, SITE);
    event.leave(value);
    return 0;
}

int sem_destroy(sem_t* semaphore) {
    if (!enter()) return 0;
    WordEvent event(value_of(semaphore), {Operation::object_destroy}, SITE);
    require_usable(semaphore);
    event.leave(destroyed);
    return 0;
}

int sem_wait(sem_t* semaphore) {
    if (!enter()) return 0;
    begin_wait(SITE);
    WordEvent event(value_of(semaphore), {Operation::sem_wait, Condition::nonzero, 0, true}, SITE);
    end_wait();
    require_usable(semaphore);
    event.leave(value_of(semaphore) - 1);
    return 0;
}

int sem_trywait(sem_t* semaphore) { return try_wait(semaphore, SITE) ? 0 : fail_with(EAGAIN); }

int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
    return wait_until(semaphore, deadline, SITE);
}
int sem_clockwait(sem_t* semaphore, clockid_t, const timespec* deadline) {
    return wait_until(semaphore, deadline, SITE);
}

int sem_post(sem_t* semaphore) {
    if (!enter()) return 0;
    WordEvent event(value_of(semaphore), {Operation::sem_post}, SITE);
    require_usable(semaphore);
    if (value_of(semaphore) == largest) return fail_with(EOVERFLOW);
    event.leave(value_of(semaphore) + 1);
    return 0;
}

int sem_getvalue(sem_t* semaphore, int* value) {
    range_access(semaphore, sizeof(SyncWord), Operation::load, SITE, Order::relaxed);
    if (world().running)
        note_observed(
            locate(*world().current, reinterpret_cast<std::uintptr_t>(semaphore), sizeof(SyncWord)));
    require_usable(semaphore);
    const auto found = static_cast<int>(value_of(semaphore));
    range_access(value, sizeof *value, Operation::store, SITE);
    *value = found;
    return 0;
}
}

}  // namespace norn::native
