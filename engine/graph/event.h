// Event: one visible step of one thread. Plain data, shared by every layer.
//
// The executor writes events, the explorers read them. An event is described twice: by its *operation*
// (what the program did: a lock, a store, a signal) for people, and by its *access* to a *location* (none,
// read, write, read-modify-write) for the explorers, which need to know nothing else.
//
// Some operations take effect only under a condition on the value they find: a compare-exchange writes only
// if the value equals the expected one, a signal only if somebody waits, a lock is possible only if the mutex
// is free. The condition is part of the event, so that an explorer can tell what the same operation would do
// if it found another value (see `access_on`).
#pragma once

#include <cstdint>

namespace norn {

using ThreadId = std::uint16_t;
using EventIndex = std::uint32_t;
using LocationId = std::uint32_t;

inline constexpr EventIndex no_event = UINT32_MAX;
inline constexpr LocationId no_location = UINT32_MAX;
inline constexpr std::uint64_t largest_value = 8;  // bytes that an event has room for: of larger accesses it
                                                   // has a number that stands for the value
// A bit of such numbers: this one may stand for several values (executor/native/wide_values.h).
inline constexpr std::uint64_t unknown_value = std::uint64_t{1} << 63;
[[nodiscard]] inline bool is_unknown(std::uint64_t value, std::uint64_t size) {
    return size > largest_value && (value & unknown_value) != 0;
}

// How an event touches its location.
enum class Access : std::uint8_t { none, read, write, rmw };

// What the program did. The order is part of the message format (docs/protocol.md): append only.
enum class Operation : std::uint8_t {
    load,
    store,
    rmw,
    compare_exchange,
    lock,
    trylock,
    unlock,
    mutex_init,
    mutex_destroy,
    wait,       // a thread enters the queue of a condition variable
    wake_lock,  // ... and, once signalled, takes the mutex again
    signal,
    broadcast,
    cond_init,
    cond_destroy,
    spawn,
    join,
    end,  // the last event of every thread
    choose,
    free,  // release of a heap block: a write to all of it
    sem_wait,
    sem_trywait,
    sem_post,
    rwlock_read,
    rwlock_write,
    rwlock_try_read,
    rwlock_try_write,
    rwlock_unlock,
    barrier_wait,  // a thread arrives at a barrier
    barrier_wake,  // ... and goes on, once the last one has arrived
    once_begin,    // waits until nobody initialises; the initialisation is to be done, or was
    once_end,
    object_init,  // of a semaphore, read-write lock, barrier, spin lock
    object_destroy,
    key_create,     // of thread-specific data
    try_join,       // a look whether a thread has ended
    cancel,         // a thread is asked to end
    cancel_choice,  // whether the wait that begins is to end by cancellation
    cancel_test,    // a look whether the thread itself was asked to end
    cancel_wait,    // ... or a wait until it is
    robust_lock,
    robust_trylock,
    robust_unlock,
    owner_died,        // a thread ends that holds a robust mutex
    signal_setting,    // what is to be done about a signal
    wait_end,          // the wait of a thread in a queue ends by itself, unless it was signalled before
    attribute,         // of a thread: its name, for one
    exit_begin,        // waits until no other thread ends the process, and begins to do so
    exit_handler,      // is added to the list of those that run then, or taken off it
    signal_mask,       // a thread blocks or unblocks signals (not those of condition variables)
    signal_send,       // ... or is sent one
    signal_wait,       // it waits for one
    signal_take,       // it takes one that it was sent, if there is one
    descriptor_open,   // a number for a new descriptor is taken, or given back
    descriptor_set,    // a descriptor begins or ends to stand for something
    descriptor_use,    // a look at what a descriptor stands for
    channel_read,      // of a pipe, an eventfd
    channel_try_read,  // ... if that is possible without waiting
    channel_write,
    channel_try_write,
    channel_look,   // whether it can be read or written
    channel_await,  // ... and a wait until it can
    channel_close,  // one end of it
};

// When the operation takes effect, as a condition on the value it finds at its location.
enum class Condition : std::uint8_t { always, equals, nonzero, below, intersects };

// Of the language's memory model: how strongly an atomic access synchronises. Explorers do not look at it.
enum class Order : std::uint8_t {
    natural,  // what the operation says: a load or store is no atomic one, a lock acquires, and so on
    relaxed,
    acquire,
    release,
    acquire_release,
    nothing,  // it orders nothing, whatever the operation: a step of norn's own
};

// Fences that the thread has passed since its event before.
enum Fences : std::uint8_t {
    acquire_fence = 1,
    release_fence = 2,
    late_acquire_fence = 4,  // one after the release fence
};

struct Event {
    std::uint64_t address;       // first byte touched (synthetic for locations that are not memory)
    std::uint64_t before;        // value found, or what stands for it (largest_value)
    std::uint64_t after;         // value left behind; equal to `before` where nothing was written
    std::uint64_t expected;      // what a condition but `nonzero` compares with; see bytes_read
    std::uint32_t size;          // bytes touched
    LocationId location;         // dense id; two events can only overlap if their ids are equal
    EventIndex cause;            // the spawn or signal without which this event could not be, or no_event
    std::uint32_t site;          // return address in the program's code, 0 if there is none
    ThreadId thread;             // who
    std::uint16_t choice;        // the alternative taken, below `alternatives`
    std::uint16_t alternatives;  // 1 unless the event is a nondeterministic choice
    Access access;               // as it happened in this execution
    Operation operation;
    Condition condition;
    bool guarded;  // the thread waits until the condition holds; else it goes on without effect
    bool misused;  // it met memory that was released, which ended its thread: it had no effect
    Order order;
    std::uint8_t fences;  // a set of Fences

    [[nodiscard]] bool writes() const { return access >= Access::write; }
    [[nodiscard]] bool reads() const { return access == Access::read || access == Access::rmw; }

    [[nodiscard]] bool condition_holds_on(std::uint64_t value) const {
        switch (condition) {
            case Condition::always: return true;
            case Condition::equals: return value == expected;
            case Condition::nonzero: return value != 0;
            case Condition::below: return value < expected;
            case Condition::intersects: return (value & expected) != 0;
        }
        return true;
    }
};
static_assert(sizeof(Event) == 64);

// The access the same operation makes if it finds `value` at its location. Unconditional events never change.
[[nodiscard]] inline Access access_on(const Event& event, std::uint64_t value) {
    if (event.condition == Condition::always || event.guarded) return event.access;
    return event.condition_holds_on(value) ? Access::rmw : Access::read;
}

// Whether what the event does depends on a value that other threads may have put there. A join finds that the
// thread has ended or does not come about; an unlock finds its own thread.
[[nodiscard]] inline bool depends_on_value(const Event& event) {
    return event.reads() && event.operation != Operation::join && event.operation != Operation::unlock;
}

// How far it really read. A string may end before `size`, which is as far as it reached in any execution.
[[nodiscard]] inline std::uint32_t bytes_read(const Event& event) {
    const bool is_string = event.access == Access::read && event.condition == Condition::always;
    return is_string && event.expected != 0 ? static_cast<std::uint32_t>(event.expected) : event.size;
}

[[nodiscard]] inline bool overlapping(const Event& a, const Event& b) {
    return a.location == b.location && a.address < b.address + b.size && b.address < a.address + a.size;
}

// Two events of different threads conflict if their order can matter.
[[nodiscard]] inline bool conflicting(const Event& a, const Event& b) {
    return (a.writes() || b.writes()) && a.access != Access::none && b.access != Access::none &&
           overlapping(a, b);
}

}  // namespace norn
