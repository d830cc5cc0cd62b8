// One-time initialisation: pthread_once, call_once, and std::call_once, which uses it.
//
// The word is 0 (to be done), 2 (done), or the thread that does it (its id + 1) with the highest bit set. A
// call first looks whether it is done, which is an ordinary read; if not, it waits until nobody is doing it,
// by a guarded read-modify-write, and does it if it still is to be done. If an exception leaves the
// initialisation, or the thread ends in it (by pthread_exit or cancellation), it is to be done again. A call
// from within the initialisation would wait for itself: a deadlock.
#include <pthread.h>

#include "executor/native/access.h"
#include "executor/native/cleanup.h"
#include "executor/native/faults.h"
#include "executor/native/sync_word.h"

// Calls a function; if an exception leaves it, calls `undo` and lets it go on. Only C++ programs have it.
extern "C" [[gnu::weak]] void norn_call_or_undo(void (*function)(), void (*undo)(void*), void* argument);

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

constexpr SyncWord doing = 0x8000'0000;
constexpr SyncWord done = 2;

void set(void* object, SyncWord value) {
    if (!enter()) return;
    WordEvent event(*static_cast<SyncWord*>(object), {Operation::once_end}, 0);
    event.leave(value);
}

void give_up(void* object) { set(object, 0); }

int once(void* object, void (*initialise)(), std::uintptr_t site) {
    SyncWord& word = *static_cast<SyncWord*>(object);
    // Libraries call this for themselves (the unwinder of exceptions does); their memory is not reset.
    if (!world().running || site >= image_limit) {
        if (word == done) return 0;
        initialise();
        word = done;
        return 0;
    }
    range_access(object, sizeof word, Operation::load, site, Order::acquire);
    if (word == done) return 0;
    enter();
    const SyncWord mine = doing | (world().current->id + 1U);
    if (word == mine)
        fail("deadlock", "the initialisation of pthread_once calls pthread_once for itself",
             reinterpret_cast<std::uintptr_t>(object));
    WordEvent event(word, {Operation::once_begin, Condition::below, doing, true}, site);
    if (word == done) return 0;
    event.leave(mine);
    if (norn_call_or_undo != nullptr)
        norn_call_or_undo(initialise, give_up, object);
    else
        call_or_undo_at_exit(initialise, give_up, object);
    set(object, done);
    return 0;
}

}  // namespace

extern "C" {

int pthread_once(pthread_once_t* object, void (*initialise)()) { return once(object, initialise, SITE); }
void call_once(void* object, void (*initialise)()) { once(object, initialise, SITE); }
}

}  // namespace norn::native
