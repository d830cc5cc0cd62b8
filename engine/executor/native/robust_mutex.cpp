// Robust mutexes: pthread_mutex_* for a mutex with PTHREAD_MUTEX_ROBUST, pthread_mutex_consistent.
//
// A mutex whose owner ends without unlocking it, by return, pthread_exit or cancellation, does not stay
// locked. Its word, the location of all its events, is
//
//     0              free
//     1              free, but its owner has died
//     2              of no use any more
//     16 + id + 1    held
//
// To take it is a read-modify-write guarded by "below 16". The first to take it after its owner died gets
// EOWNERDEAD and holds it. If it calls pthread_mutex_consistent, all is well again; if it unlocks without
// that, the mutex is of no use: everybody else, also who waits already, gets ENOTRECOVERABLE. The end of a
// thread is an event for each robust mutex that it holds, in the order opposite to that in which it took
// them, after all of its code and before its end can be joined. To unlock what one does not hold is EPERM.
// When main returns (and does not call pthread_exit) the process ends, and nobody gets to know what main
// held.
#include "executor/native/robust_mutex.h"

#include <pthread.h>

#include <cerrno>

#include "executor/native/access.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/leaks.h"
#include "executor/native/sync_word.h"

namespace norn::native {

namespace {

constexpr SyncWord is_free = 0;
constexpr SyncWord has_lost_owner = 1;
constexpr SyncWord is_unrecoverable = 2;
constexpr SyncWord first_owner = 16;

// Our view of a pthread_mutex_t that is robust; mutex.cpp's begins alike.
struct RobustMutex {
    SyncWord word;
    std::uint32_t depth;  // of nested locks beyond the first
    std::uint64_t unused;
    int kind;
    bool is_inconsistent;  // its owner got EOWNERDEAD
    RobustMutex* older;    // the one that the owner took before and still holds
};
static_assert(sizeof(RobustMutex) <= sizeof(pthread_mutex_t));

RobustMutex& view(void* mutex) { return *static_cast<RobustMutex*>(mutex); }
SyncWord self() { return first_owner + world().current->id + 1U; }

void add_to_held(RobustMutex& mutex) {
    Thread& me = *world().current;
    mutex.older = static_cast<RobustMutex*>(me.robust_held);
    me.robust_held = &mutex;
}

void remove_from_held(const RobustMutex& mutex) {
    Thread& me = *world().current;
    if (me.robust_held == &mutex) {
        me.robust_held = mutex.older;
        return;
    }
    for (auto* each = static_cast<RobustMutex*>(me.robust_held); each != nullptr; each = each->older)
        if (each->older == &mutex) each->older = mutex.older;
}

// The thread may take the mutex, as its word is now. Returns what it gets, and the word to leave.
int take(RobustMutex& mutex, SyncWord& left) {
    left = mutex.word;
    if (mutex.word == is_unrecoverable) return ENOTRECOVERABLE;
    mutex.is_inconsistent = mutex.word == has_lost_owner;
    mutex.depth = 0;
    add_to_held(mutex);
    note_locked(&mutex);
    left = self();
    return mutex.is_inconsistent ? EOWNERDEAD : 0;
}

}  // namespace

bool holds_robust(const void* mutex) { return static_cast<const RobustMutex*>(mutex)->word == self(); }
bool is_robust_locked(const void* mutex) {
    return static_cast<const RobustMutex*>(mutex)->word >= first_owner;
}

int take_robust(void* object, Operation operation, std::uintptr_t site) {
    RobustMutex& mutex = view(object);
    const auto address = reinterpret_cast<std::uintptr_t>(&mutex.word);
    const LocationId location = locate(*world().current, address, sizeof mutex.word);
    // After a wait this is an event even if nobody else uses the mutex: it comes after the signal.
    const bool only_woken = operation == Operation::wake_lock && location == no_location;
    SyncWord left = 0;
    if (location == no_location && !counting() && !only_woken && mutex.word < first_owner) {
        spoil_round(*world().current);
        const int code = take(mutex, left);
        mutex.word = left;
        return code;
    }
    Event& next = announce(operation, only_woken ? Access::none : Access::rmw, address, sizeof mutex.word,
                           location, site);
    next.guarded = true;
    next.condition = Condition::below;
    next.expected = first_owner;
    Event& event = perform();
    check_shared(address, sizeof mutex.word, operation);
    const int code = take(mutex, left);
    event.after = mutex.word = left;
    return code;
}

int trylock_robust(void* object, std::uintptr_t site) {
    RobustMutex& mutex = view(object);
    WordEvent event(mutex.word, {Operation::robust_trylock, Condition::below, first_owner}, site);
    if (!event.holds()) return EBUSY;
    SyncWord left = 0;
    const int code = take(mutex, left);
    event.leave(left);
    return code;
}

void release_robust(void* object, std::uintptr_t site) {
    RobustMutex& mutex = view(object);
    note_unlocked(&mutex);
    WordEvent event(mutex.word, {Operation::robust_unlock}, site);
    remove_from_held(mutex);
    event.leave(mutex.is_inconsistent ? is_unrecoverable : is_free);
}

void abandon_mutexes() {
    Thread& me = *world().current;
    while (me.robust_held != nullptr) {
        RobustMutex& mutex = view(me.robust_held);
        WordEvent event(mutex.word, {Operation::owner_died}, 0);
        me.robust_held = mutex.older;
        if (mutex.word == self()) event.leave(has_lost_owner);
        enter();
    }
}

extern "C" int pthread_mutex_consistent(pthread_mutex_t* object) {
    if (!enter()) return EINVAL;
    RobustMutex& mutex = view(object);
    check_heap(reinterpret_cast<std::uintptr_t>(&mutex), sizeof mutex, Operation::load);
    if ((mutex.kind & robust_bit) == 0 || mutex.word != self() || !mutex.is_inconsistent) return EINVAL;
    spoil_round(*world().current);
    mutex.is_inconsistent = false;
    return 0;
}

}  // namespace norn::native
