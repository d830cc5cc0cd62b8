// Idle rounds: recognises a thread that waits in a loop.
//
// A thread that goes round in a loop, finds the same each time, changes nothing and is then where it was
// before waits for others to change what it reads. Without help each number of rounds would be a class of its
// own, without end. Whatever the thread can do after such an *idle* round it can do without it: so a thread
// that is about to begin another one is stopped for good, as by a failed assume, and the execution counts as
// blocked. Executions in which the thread goes round once less, and looks again only after something has
// changed, are explored as well. If at the end nothing that its last round read has changed and nobody else
// can go on, nobody ever will: a livelock, which is a finding.
//
// A round is idle if
//   - the thread has come back to the same call in the same state: registers, stack and memory of its own
//     (thread_state.h, own_writes.h). While a thread is watched all its accesses go the slow way, so that no
//     write is missed; calls of libraries count as changes (foreign_calls.cpp);
//   - its events have changed nothing: they only read, left the value they found, or took an object that
//     threads wait for and then gave it back. (A round that first gives what the thread held lets others go
//     on: it is not for nothing.) Others may notice what was taken by trying to take it without waiting. That
//     is learned: if it happens, rounds that use that object are not idle any more, and everything starts
//     over;
//   - it did not look at the clock while that may still show that a deadline has passed (virtual_time.h), and
//     was not woken by a signal.
// A round may be several turns of a loop: one that counts to ten and starts anew is idle after ten.
//
// Why this is sound. Let E be an execution in which a thread t performs an idle round and goes on. Take the
// events of the round out of it. The thread is in the same state before and after, so it can go on as it did;
// what the round took and gave back nobody has noticed; nothing else was changed, so all others find what
// they found. What is left is an execution without that round and with the same outcomes. By induction every
// outcome is that of an execution without idle rounds, and of these none is stopped.
//
// Explorers repeat the beginning of an execution and change what comes after. So whether a thread is stopped
// must follow from its own history (what it did and what its events found) and from what has been learned
// over all executions; and whoever learns something starts over. So:
//   - states follow from the thread's own history (thread_state.h says how);
//   - what a thread has taken counts from each visit on by itself (`Rounds::Visit::balance`);
//   - visits at sites that are only suspected stand apart from those at known ones, since suspicions grow
//     without a restart. A suspicion can only lead to something that is learned;
//   - all sites of an idle round are learned at once. So a thread is stopped as early as it can be, whichever
//     site was suspected first.
// Whether a store left the value it found is what it found, too: so stores to locations that idle rounds use
// count as read-modify-writes (`access_of_store`). That also makes what such a location holds at the end part
// of the class, by which a livelock is known.
//
// Memory of its own that code without hooks may change is compared until a site is known, not after that. A
// thread that has seen days pass is in the same state if all its times have moved on by as much
// (virtual_time.h). If it looks at the clock, states are compared only where days have passed in between: so
// any deadline that is not further away has come, and no number that the program counts up can be taken for a
// time. Rounds that let no time pass, as by spurious wake-ups, are many then before one is like another.
// docs/limitations.md says what can be missed by these.
//
// To look at every state would cost too much. Only where a thread has read for long without a change, or the
// execution is long, is it suspected, by Brent's method for cycles; the first idle round found makes its code
// site known for good, and everything starts over, as with locations that turn out to be shared (shadow.h).
#pragma once

#include "executor/native/world.h"

namespace norn::native {

// Events of an execution before anybody is looked at, reads without a change from which on a thread is
// suspected, and events from which on everybody is.
inline constexpr std::uint32_t patience_short = 16;
inline constexpr std::uint32_t patience_reads = 4;
inline constexpr std::uint32_t patience_events = 500;

// The running thread is about to perform `Thread::next`; if that would begin another idle round, it does not
// return.
void look_for_idle_round(Thread& me);

// The running thread uses private memory again and again, for which it is asked from time to time. Whether it
// has gone round since the last time and all is as it was.
bool is_in_private_round(Thread& me);

// An event was performed from World::watched_from on; the thread may be suspected to wait in a loop.
void suspect_loop(Thread& me, const Event& event);
inline void note_for_idle_rounds(Thread& me, const Event& event) {
    const World& w = world();
    me.last_event = w.count;
    me.quiet = event.writes() ? 0 : me.quiet + 1;
    if (me.quiet > patience_reads || w.count > patience_events || w.schedule_is_used_up)
        suspect_loop(me, event);
}

// The state of the running thread that only it can see has changed: the round it is in is not idle.
inline void spoil_round(Thread& me) { me.visits = 0; }

// Whether the operation takes an object only if it need not wait for it.
inline bool only_tries(Operation operation) {
    return operation == Operation::trylock || operation == Operation::sem_trywait ||
           operation == Operation::rwlock_try_read || operation == Operation::rwlock_try_write;
}

// Somebody looks at a synchronisation object without waiting for it.
void note_observed(LocationId location);

// How a store to a location counts. Where threads wait in loops for what a location holds, what it holds at
// the end matters, and whether a store in such a loop changes anything: so there the order of stores is part
// of what explorers distinguish, as if each of them read what it overwrites.
inline Access access_of_store(LocationId location) {
    const World& w = world();
    if (!w.awaits) return Access::write;
    const bool is_awaited = location < Forecast::tracked
                                ? (w.awaited[location / 64] >> location % 64 & 1) != 0
                                : w.awaits_others && location != no_location;
    return is_awaited ? Access::rmw : Access::write;
}

// Whether no thread that waits in a loop would find anything else now than in its last round.
bool loops_find_nothing_new();

}  // namespace norn::native
