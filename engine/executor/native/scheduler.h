// Scheduler: decides at every event who runs, by the schedule and then freely, and records what happens.
#pragma once

#include "executor/native/shadow.h"
#include "executor/native/wide_values.h"
#include "executor/native/world.h"

namespace norn::native {

// The value of some bytes of memory; of more than eight what stands for it (wide_values.h).
inline std::uint64_t value_at(std::uintptr_t address, std::size_t size) {
    const void* const bytes = reinterpret_cast<const void*>(address);
    std::uint64_t value = 0;
    switch (size) {
        case 1: return *static_cast<const std::uint8_t*>(bytes);
        case 2: return *static_cast<const std::uint16_t*>(bytes);
        case 4: return *static_cast<const std::uint32_t*>(bytes);
        case 8: return *static_cast<const std::uint64_t*>(bytes);
        default:
            if (size > sizeof value) return wide_value(address, size);
            __builtin_memcpy(&value, bytes, size);
            return value;
    }
}

// Whether an operation that is not an event needs to be announced and performed all the same (ticks are
// counted).
inline bool counting() { return world().mode != Mode::explore; }

// What World::current_tag is while the thread runs.
inline std::uint32_t tag_of(const Thread& thread) {
    const bool looks_at_all = thread.copy_target != 0 || thread.restore_size != 0 || thread.visits != 0;
    return counting() || looks_at_all ? no_tag : thread.id + 1U;
}

// Closes what the last plain access of the thread left open, but leaves an announced struct copy to the read
// hook that calls this. False outside an execution: before main, or in the host.
bool settle();
bool settle_and_copy();
// Every modelled operation begins with this: closes what the last plain access of the thread left open (the
// value of a store, the source of a struct copy). False as above.
inline bool enter() {
    const World& w = world();
    if (!w.running) return false;
    const Thread& me = *w.current;
    if (me.open_store == no_event && me.restore_size == 0 && me.copy_target == 0 && !me.accesses_alone &&
        !counting())
        return true;
    return settle_and_copy();
}

// Fills `Thread::next` of the running thread.
inline Event& announce(Operation operation, Access access, std::uintptr_t address, std::size_t size,
                       LocationId location, std::uintptr_t site) {
    Thread& me = *world().current;
    Event& next = me.next;
    next.address = address;
    next.before = 0;
    next.after = 0;
    next.expected = 0;
    next.size = static_cast<std::uint32_t>(size);
    next.location = location;
    next.cause = no_event;
    next.site = site < image_limit ? static_cast<std::uint32_t>(site) : 0;  // libraries move from run to run
    next.thread = me.id;
    next.choice = 0;
    next.alternatives = 1;
    next.access = access;
    next.operation = operation;
    next.condition = Condition::always;
    next.guarded = false;
    next.order = Order::natural;
    next.misused = false;
    return next;
}

// Waits until the announced event may happen, and appends it to the trace. `before` and, where the access
// depends on it, `access` and `alternatives` are those of this moment; the caller performs the operation and
// sets `after`.
Event& perform();

// Lets another thread run in the free part of a schedule, though the running one could go on. False: nobody
// else can.
bool give_way();

// The running thread does not go on: lets another one run, or ends the execution. Never returns.
[[noreturn]] void leave();
// Ends the execution now.
[[noreturn]] void finish(Ending ending);

// Makes a thread that does not run yet: first only its handle can be used, then it is created by its parent.
Thread& reserve_thread(ThreadId id, ThreadId parent, void* (*start)(void*), void* argument);
void create_thread(Thread& thread);

// Whether a thread could perform its next event now.
bool enabled(const Thread& thread);

// What made the next event of the thread possible.
EventIndex cause_of(const Thread& thread);

// Called by `run`: starts the execution and returns when it has ended.
void run_coroutines();

}  // namespace norn::native
