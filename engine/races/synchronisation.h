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

[[nodiscard]] Synchronisation synchronisation_of(const Event& event);

}  // namespace norn
