// Mutexes: pthread_mutex_* and mtx_*.
//
// The first word of the mutex object holds the owner (thread id + 1) or 0; it is the location of all its
// events, and being program memory it is reset with the program. Taking a mutex is a read-modify-write
// guarded by "is free"; a thread that waits has performed no event. trylock is a compare-exchange: a failed
// one only reads. unlock is a compare-exchange that finds the owner. Initialising and destroying a mutex are
// read-modify-writes too: whatever changes a mutex depends on what it finds. Nested locks of a recursive
// mutex concern nobody else and are no events.
//
// Kinds: normal, recursive and error-checking, with POSIX's error codes. What POSIX leaves undefined is a
// finding: locking a normal mutex one holds, unlocking one that one does not hold, destroying a locked one,
// using a destroyed one. A normal mutex whose owner has ended stays locked for ever. Robust ones are in
// robust_mutex.cpp. Priority inheritance and ceilings decide who runs when, not what may happen: they are
// accepted and make no difference, like sharing between processes.
#include <pthread.h>
#include <cerrno>

#include <cstring>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/leaks.h"
#include "executor/native/mutex.h"
#include "executor/native/own_writes.h"
#include "executor/native/robust_mutex.h"
#include "executor/native/scheduler.h"
#include "executor/native/virtual_time.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

enum Kind : int { normal = 0, recursive = 1, error_checking = 2, adaptive = 3, destroyed = -1 };

// Our view of a pthread_mutex_t: the kind is where static initialisers put it.
struct Mutex {
    std::uint32_t owner;
    std::uint32_t depth;  // of nested locks beyond the first
    std::uint64_t unused;
    int kind;
    int reserved[4];
    int ceiling;
};
static_assert(sizeof(Mutex) <= sizeof(pthread_mutex_t));

constexpr int ceiling_bit = 64;  // of the kind, as libc has it

Mutex& view(void* mutex) { return *static_cast<Mutex*>(mutex); }
std::uintptr_t word_of(const Mutex& mutex) { return reinterpret_cast<std::uintptr_t>(&mutex.owner); }
std::uint32_t self() { return world().current->id + 1U; }

Kind kind_of(const Mutex& mutex) {
    check_alive(word_of(mutex), sizeof(Mutex), Operation::lock);
    if (mutex.kind == destroyed) fail("mutex-misuse", "a destroyed mutex is used", word_of(mutex));
    return static_cast<Kind>(mutex.kind & 3);
}

bool is_robust(const Mutex& mutex) { return mutex.kind != destroyed && (mutex.kind & robust_bit) != 0; }
bool is_own(const Mutex& mutex) { return is_robust(mutex) ? holds_robust(&mutex) : mutex.owner == self(); }
bool is_locked(const Mutex& mutex) { return is_robust(mutex) ? is_robust_locked(&mutex) : mutex.owner != 0; }

// Leaves the mutex without owner, by an unlock (of the owner), init or destroy: an event if the mutex is
// shared.
void clear_word(Mutex& mutex, Operation operation, std::uintptr_t site) {
    note_unlocked(&mutex);
    const LocationId location = locate(*world().current, word_of(mutex), sizeof mutex.owner);
    if (location == no_location && !counting()) {
        note_own_write(*world().current, word_of(mutex), sizeof mutex.owner);
        mutex.owner = 0;
        return;
    }
    Event& next = announce(operation, Access::rmw, word_of(mutex), sizeof mutex.owner, location, site);
    if (operation == Operation::unlock) {
        next.condition = Condition::equals;
        next.expected = self();
    } else {
        world().has_plain = true;
    }
    Event& event = perform();
    check_shared(word_of(mutex), sizeof mutex, operation);
    if (operation == Operation::mutex_destroy && is_locked(mutex))
        fail("mutex-misuse", "a locked mutex is destroyed", word_of(mutex));
    if (!event.writes())  // somebody initialised it while the thread was about to unlock it
        fail("mutex-misuse", "a thread unlocks a mutex that it does not hold", word_of(mutex));
    mutex.owner = 0;
    event.after = 0;
}

}  // namespace

void take_word(void* object, Operation operation, std::uintptr_t site) {
    Mutex& mutex = view(object);
    LocationId location = locate(*world().current, word_of(mutex), sizeof mutex.owner);
    if (location == no_location && !counting() && mutex.owner == 0 && operation == Operation::lock) {
        if (!spins(*world().current, word_of(mutex), site)) {
            note_own_write(*world().current, word_of(mutex), sizeof mutex.owner);
            mutex.owner = self();
            note_locked(object);
            return;
        }
        location = share(word_of(mutex), sizeof mutex.owner);
    }
    // Taking it again after a wait is an event even if nobody else uses the mutex: it comes after the signal.
    const bool only_woken = operation == Operation::wake_lock && location == no_location;
    Event& next = announce(operation, only_woken ? Access::none : Access::rmw, word_of(mutex),
                           sizeof mutex.owner, location, site);
    next.guarded = true;
    next.condition = Condition::equals;
    Event& event = perform();
    check_shared(word_of(mutex), sizeof mutex, operation);
    mutex.owner = self();
    note_locked(object);
    event.after = mutex.owner;
}

int take_mutex(void* object, Operation operation, std::uintptr_t site) {
    if (is_robust(view(object)))
        return take_robust(object, operation == Operation::lock ? Operation::robust_lock : operation, site);
    take_word(object, operation, site);
    kind_of(view(object));  // it may have been destroyed or freed while the thread waited
    return 0;
}

void give_word(void* object, std::uintptr_t site) { clear_word(view(object), Operation::unlock, site); }

void release_for_wait(void* object, std::uintptr_t site) {
    if (is_robust(view(object))) return release_robust(object, site);
    clear_word(view(object), Operation::unlock, site);
}

bool checks_errors(void* object) { return kind_of(view(object)) == error_checking; }
bool is_nested(void* object) { return view(object).depth > 0; }

bool holds_mutex(void* object) { return kind_of(view(object)) >= normal && is_own(view(object)); }

int lock_mutex(void* object, std::uintptr_t site) {
    if (!enter()) return 0;
    Mutex& mutex = view(object);
    const Kind kind = kind_of(mutex);
    if (is_own(mutex)) {
        if (kind == recursive) {
            spoil_round(*world().current);
            ++mutex.depth;
            return 0;
        }
        if (kind == error_checking) return EDEADLK;
        fail("mutex-misuse", "a thread locks a mutex that it holds already", word_of(mutex));
    }
    return take_mutex(object, Operation::lock, site);
}

int trylock_mutex(void* object, std::uintptr_t site) {
    if (!enter()) return 0;
    Mutex& mutex = view(object);
    const Kind kind = kind_of(mutex);
    if (is_own(mutex)) {
        if (kind != recursive) return EBUSY;
        spoil_round(*world().current);
        ++mutex.depth;
        return 0;
    }
    if (is_robust(mutex)) return trylock_robust(object, site);
    const LocationId location = locate(*world().current, word_of(mutex), sizeof mutex.owner);
    if (location == no_location && !counting()) {
        note_own_write(*world().current, word_of(mutex), sizeof mutex.owner);
        mutex.owner = self();
        note_locked(object);
        return 0;
    }
    Event& next =
        announce(Operation::trylock, Access::rmw, word_of(mutex), sizeof mutex.owner, location, site);
    next.condition = Condition::equals;
    Event& event = perform();
    check_shared(word_of(mutex), sizeof mutex, Operation::trylock);
    kind_of(mutex);
    if (!event.writes()) return EBUSY;
    mutex.owner = self();
    note_locked(object);
    event.after = mutex.owner;
    return 0;
}

int unlock_mutex(void* object, std::uintptr_t site) {
    if (!enter()) return 0;
    Mutex& mutex = view(object);
    const Kind kind = kind_of(mutex);
    if (!is_own(mutex)) {
        if (kind == recursive || kind == error_checking || is_robust(mutex)) return EPERM;
        fail("mutex-misuse", "a thread unlocks a mutex that it does not hold", word_of(mutex));
    }
    if (mutex.depth > 0) {
        spoil_round(*world().current);
        --mutex.depth;
        return 0;
    }
    if (is_robust(mutex))
        release_robust(object, site);
    else
        clear_word(mutex, Operation::unlock, site);
    return 0;
}

namespace {

// A thread that waits for so long and no longer gets the mutex if it is free at some moment, and gives up if
// it is not: as a trylock does, which may come at any moment.
int lock_mutex_until(void* object, const timespec* deadline, std::uintptr_t site) {
    if (enter() && is_own(view(object)) && kind_of(view(object)) == error_checking) return EDEADLK;
    const int code = trylock_mutex(object, site);
    if (code != EBUSY) return code;
    range_access(deadline, sizeof *deadline, Operation::load, site);
    return time_out(deadline);
}

int init_mutex(void* object, int kind, std::uintptr_t site) {
    if (enter()) {
        check_heap(word_of(view(object)), sizeof(Mutex), Operation::mutex_init);
        clear_word(view(object), Operation::mutex_init, site);
    }
    std::memset(object, 0, sizeof(pthread_mutex_t));
    view(object).kind = kind;
    return 0;
}

int destroy_mutex(void* object, std::uintptr_t site) {
    if (!enter()) return 0;
    Mutex& mutex = view(object);
    kind_of(mutex);
    if (is_locked(mutex) && locate(*world().current, word_of(mutex), sizeof mutex.owner) == no_location)
        fail("mutex-misuse", "a locked mutex is destroyed", word_of(mutex));
    clear_word(mutex, Operation::mutex_destroy, site);
    mutex.kind = destroyed;
    return 0;
}

constexpr int thrd_ok = 0, thrd_is_busy = 1, thrd_failed = 2, thrd_timed_out = 4;

int as_c11(int code) { return code == 0 ? thrd_ok : code == EBUSY ? thrd_is_busy : thrd_failed; }

}  // namespace

extern "C" {

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
    int kind = normal;
    int ceiling = 0;
    if (attributes != nullptr) {
        int robust = 0;
        int protocol = 0;
        pthread_mutexattr_gettype(attributes, &kind);
        pthread_mutexattr_getrobust(attributes, &robust);
        pthread_mutexattr_getprotocol(attributes, &protocol);
        pthread_mutexattr_getprioceiling(attributes, &ceiling);
        if (robust == PTHREAD_MUTEX_ROBUST) kind |= robust_bit;
        if (protocol == PTHREAD_PRIO_PROTECT) kind |= ceiling_bit;
    }
    const int code = init_mutex(mutex, kind, SITE);
    view(mutex).ceiling = ceiling;
    return code;
}
int pthread_mutex_destroy(pthread_mutex_t* mutex) { return destroy_mutex(mutex, SITE); }
int pthread_mutex_lock(pthread_mutex_t* mutex) { return lock_mutex(mutex, SITE); }
int pthread_mutex_trylock(pthread_mutex_t* mutex) { return trylock_mutex(mutex, SITE); }
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) {
    return lock_mutex_until(mutex, deadline, SITE);
}
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t, const timespec* deadline) {
    return lock_mutex_until(mutex, deadline, SITE);
}
int pthread_mutex_unlock(pthread_mutex_t* mutex) { return unlock_mutex(mutex, SITE); }

int pthread_mutex_getprioceiling(const pthread_mutex_t* mutex, int* ceiling) {
    const auto& view_of_it = *reinterpret_cast<const Mutex*>(mutex);
    if ((view_of_it.kind & ceiling_bit) == 0) return EINVAL;
    range_access(&view_of_it.ceiling, sizeof view_of_it.ceiling, Operation::load, SITE);
    const int found = view_of_it.ceiling;
    range_access(ceiling, sizeof *ceiling, Operation::store, SITE);
    *ceiling = found;
    return 0;
}
int pthread_mutex_setprioceiling(pthread_mutex_t* mutex, int ceiling, int* old) {
    if ((view(mutex).kind & ceiling_bit) == 0) return EINVAL;
    if (const int code = lock_mutex(mutex, SITE); code != 0) return code;
    if (old != nullptr) pthread_mutex_getprioceiling(mutex, old);
    range_access(&view(mutex).ceiling, sizeof ceiling, Operation::store, SITE);
    view(mutex).ceiling = ceiling;
    return unlock_mutex(mutex, SITE);
}

int mtx_init(void* mutex, int type) {
    constexpr int mtx_recursive = 1;
    return init_mutex(mutex, (type & mtx_recursive) != 0 ? recursive : normal, SITE);
}
void mtx_destroy(void* mutex) { destroy_mutex(mutex, SITE); }
int mtx_lock(void* mutex) { return as_c11(lock_mutex(mutex, SITE)); }
int mtx_trylock(void* mutex) { return as_c11(trylock_mutex(mutex, SITE)); }
int mtx_timedlock(void* mutex, const timespec* deadline) {
    const int code = lock_mutex_until(mutex, deadline, SITE);
    return code == ETIMEDOUT ? thrd_timed_out : as_c11(code);
}
int mtx_unlock(void* mutex) { return as_c11(unlock_mutex(mutex, SITE)); }
}

}  // namespace norn::native
