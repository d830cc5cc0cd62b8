// What an event means to the happens-before relation: whether it is a plain access, and what it takes from
// and puts into the messages of its location.
//
// Each location has two messages: the ordinary one, and one that only read-write locks need, for what readers
// leave behind: it orders them before the next writer, not before each other.
#pragma once

#include "graph/event.h"
#include "races/happens_before.h"

namespace norn {

struct Synchronisation {
    bool is_plain = false;  // not atomic: it can race
    bool takes = false;
    bool takes_at_fence = false;
    bool takes_of_readers = false;
    enum class Puts : std::uint8_t {
        nothing,
        clears,
        adds,
        replaces,
        adds_of_fence,
        replaces_by_fence,
        adds_of_reader,
    } puts = Puts::nothing;
    bool can_cause = false;  // other events may name it as their cause
};

// Of an operation whose order is the natural one: see synchronisation.cpp.
[[nodiscard]] Synchronisation synchronisation_by_operation(const Event& event);

[[nodiscard]] inline Synchronisation atomic_synchronisation(const Event& event, Order order) {
    using Puts = Synchronisation::Puts;
    const bool acquires = order == Order::acquire || order == Order::acquire_release;
    const bool releases = order == Order::release || order == Order::acquire_release;
    // (To explorers a store may be a read-modify-write: executor/native/idle_rounds.h.)
    const bool is_store = event.operation == Operation::store;
    const bool reads = event.reads() && !is_store;
    Synchronisation result{.takes = reads && acquires, .takes_at_fence = reads && !acquires};
    if (is_store)
        result.puts = releases ? Puts::replaces : Puts::replaces_by_fence;
    else if (event.writes())
        result.puts = releases ? Puts::adds : Puts::adds_of_fence;
    return result;
}

// `strong`: every atomic operation orders as much as any can, whatever its memory order.
[[nodiscard]] inline Synchronisation synchronisation_of(const Event& event, bool strong = false) {
    if (event.order != Order::natural) {
        if (event.order == Order::nothing) return {};
        return atomic_synchronisation(event, strong ? Order::acquire_release : event.order);
    }
    switch (event.operation) {  // the most frequent ones first
        case Operation::lock: return {.takes = true};
        case Operation::unlock: return {.puts = Synchronisation::Puts::adds};
        default: return synchronisation_by_operation(event);
    }
}

}  // namespace norn
