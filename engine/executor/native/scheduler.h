// Scheduler: decides at every event who runs, by the schedule and then freely, and records what happens.
#pragma once

#include "executor/native/shadow.h"
#include "executor/native/world.h"

namespace norn::native {

// Every modelled operation begins with this: closes what the last plain access of the thread left open (the
// value of a store, the source of a struct copy). False outside an execution: before main, or in the host.
bool enter();
// The same, but leaves an announced struct copy to the read hook that calls this.
bool settle();

// Fills `Thread::next` of the running thread.
Event& announce(Operation operation, Access access, std::uintptr_t address, std::size_t size,
                LocationId location, std::uintptr_t site);

// Waits until the announced event may happen, and appends it to the trace. `before` and, where the access
// depends on it, `access` and `alternatives` are those of this moment; the caller performs the operation and
// sets `after`.
Event& perform();

// Whether an operation that is not an event needs to be announced and performed all the same (ticks are
// counted).
inline bool counting() { return world().mode != Mode::explore; }

// The running thread does not go on: lets another one run, or ends the execution. Never returns.
[[noreturn]] void leave();
// Ends the execution now.
[[noreturn]] void finish(Ending ending);

// Creates a thread that has not begun to run.
Thread& create_thread(ThreadId id, ThreadId parent, void* (*start)(void*), void* argument);

// Whether a thread could perform its next event now.
bool enabled(const Thread& thread);

// What made the next event of the thread possible.
EventIndex cause_of(const Thread& thread);

std::uint64_t value_at(std::uintptr_t address, std::size_t size);

// Called by `run`: starts the execution and returns when it has ended.
void run_coroutines();

}  // namespace norn::native
