// How each operation synchronises, after C11, C++20 and POSIX ("Memory Synchronization").
//
//   atomic       by its memory order. A store begins a release sequence anew, a read-modify-write continues
//                the one it finds, and may head another. A compare-exchange that fails is a load with its
//                order for failure, which the executor has put into the event.
//   mutex, spin  an unlock releases, a lock acquires, and so does a wait for a condition variable when it
//   lock         has the mutex again. A trylock that fails does nothing.
//   rwlock       to lock for reading acquires what writers have released; to lock for writing also what
//                readers have. Readers do not order each other.
//   semaphore    a post releases, a wait acquires all posts before it.
//   barrier      who arrives releases to the last one of the same round, who acquires; all others go on
//                because of the last one.
//   condition    a signal or broadcast comes before the wake-up that it causes; of a wait that might have
//   variable     ended by itself, all signals so far do. Else its events order nothing; a wait that ends by
//                itself neither.
//   once         the end of the initialisation releases; who finds it done acquires.
//   atomic       sections are ordered as if one mutex kept them apart. An access inside of one is an atomic
//   section      one, with the strongest order. What norn does to keep an access from outside out of
//                sections (executor/native/atomic_section.cpp) orders nothing: such an access is what it is.
//   thread       a spawn is the cause of the first event; an end releases, a join acquires, and so does a
//                look that finds the end.
//   pipe,        what is written releases, also the end of what is written; a read acquires, and so does a
//   eventfd      look by poll. To find out what a descriptor stands for acquires what made it so.
//   init, free,  are plain writes to the object: using an object that another thread initialises or destroys
//   destroy      meanwhile is a race, as is any use of memory that another thread frees.
#include "races/synchronisation.h"

namespace norn {

namespace {

using Puts = Synchronisation::Puts;

constexpr std::uint64_t is_writing = 0x8000'0000;  // executor/native/rwlock.cpp: a writer has the lock

Synchronisation plain(const Event& event) {
    return {.is_plain = true, .puts = event.writes() ? Puts::clears : Puts::nothing};
}

Synchronisation acquiring() { return {.takes = true}; }
Synchronisation releasing() { return {.puts = Puts::adds}; }

Synchronisation at_barrier(const Event& event) {
    const bool is_last = event.after == 0;
    const bool is_first = event.before == 0;
    return {
        .takes = is_last && !is_first, .puts = is_first ? Puts::replaces : Puts::adds, .can_cause = is_last};
}

// An operation that no rule is known for: if it has an effect, it is taken for one that does both.
Synchronisation other(const Event& event) {
    return {.takes = event.writes() || event.guarded,
            .puts = event.writes() ? Puts::adds : Puts::nothing,
            .can_cause = true};
}

}  // namespace

Synchronisation synchronisation_by_operation(const Event& event) {
    switch (event.operation) {
        case Operation::load:
        case Operation::store:
        case Operation::free: return plain(event);
        case Operation::rmw:
        case Operation::compare_exchange: return atomic_synchronisation(event, Order::acquire_release);
        case Operation::mutex_init:
        case Operation::mutex_destroy:
        case Operation::cond_init:
        case Operation::cond_destroy:
        case Operation::object_init:
        case Operation::object_destroy: return plain(event);
        case Operation::lock:
        case Operation::wake_lock:
        case Operation::sem_wait:
        case Operation::once_begin:
        case Operation::rwlock_read:
        case Operation::join: return acquiring();
        case Operation::unlock:
        case Operation::sem_post:
        case Operation::once_end: return releasing();
        case Operation::robust_lock: return acquiring();
        case Operation::robust_unlock:
        case Operation::owner_died: return releasing();
        case Operation::trylock:
        case Operation::robust_trylock:
        case Operation::sem_trywait:
        case Operation::rwlock_try_read: return event.writes() ? acquiring() : Synchronisation{};
        case Operation::rwlock_write: return {.takes = true, .takes_of_readers = true};
        case Operation::rwlock_try_write:
            return {.takes = event.writes(), .takes_of_readers = event.writes()};
        case Operation::rwlock_unlock:
            return {.puts = (event.before & is_writing) != 0 ? Puts::adds : Puts::adds_of_reader};
        case Operation::barrier_wait: return at_barrier(event);
        case Operation::end: return {.puts = Puts::replaces};
        case Operation::spawn: return {.can_cause = true};
        case Operation::signal:
        case Operation::broadcast:
            return {.puts = event.writes() ? Puts::adds : Puts::nothing, .can_cause = true};
        // One that ends by itself leaves the queue, which has one fewer then.
        case Operation::wait_end: return event.before == event.after ? acquiring() : Synchronisation{};
        case Operation::try_join: return event.before != 0 ? acquiring() : Synchronisation{};
        case Operation::channel_read:
        case Operation::channel_look:
        case Operation::channel_await:
        case Operation::descriptor_use: return acquiring();
        case Operation::channel_write:
        case Operation::channel_close:
        case Operation::descriptor_set: return releasing();
        case Operation::channel_try_read: return event.writes() ? acquiring() : Synchronisation{};
        case Operation::channel_try_write: return event.writes() ? releasing() : Synchronisation{};
        case Operation::descriptor_open:
        case Operation::wait:
        case Operation::choose:
        case Operation::key_create:
        case Operation::barrier_wake: return {};
        default: return other(event);
    }
}

}  // namespace norn
